"""Every printed reason, computed once more from the texts and vectors that the ranking was given.

Written with scikit-learn and numpy: it agrees with the ranking only where both are right.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge

from obsidian_digest.core.ranking import taste
from obsidian_digest.core.ranking.calibration import family_of
from obsidian_digest.core.ranking.closeness import CROWD, lent
from obsidian_digest.core.ranking.reasons import LEAST_PART, LEAST_SHARE
from obsidian_digest.core.ranking.selection import select
from obsidian_digest.core.ranking.value import BITES, EXAMPLES, texts_to_embed
from obsidian_digest.edge.encoders import model_folder
from obsidian_digest.model import Interests, Reading
from tests.core.ranked_readers import Readers, embedded
from tests.core.ranking.test_rank import AGENTS, BOTH, ROBOTS
from tests.core.recorded_papers import about, two_mailings

if TYPE_CHECKING:
    from obsidian_digest.core.ranking.rank import Ranking

POOL = two_mailings()[::4]
PAST = tuple(one for one in two_mailings() if one not in POOL)
KEPT = tuple(one for one in about("agent", "tool") if one in PAST)[:30]
UNWANTED = tuple(one for one in about("video", "image") if one in PAST)[:15]
NOTES = (
    Reading(
        "Projects/Memory.md",
        "Memory",
        "Long-term memory of language model agents: what to store, retrieve and forget.",
    ),
    Reading(
        "Projects/Grasping.md",
        "Grasping",
        "A gripper that learns to grasp deformable objects from tactile sensing.",
    ),
    Reading(
        "Projects/Reviews.md",
        "Reviews",
        "Automatic review of code changes: finding bugs and repairing programs.",
    ),
)
EXAMPLES_OF = tuple(one.id for one in KEPT[:3])
WITH_EXAMPLES = Interests((replace(AGENTS, examples=EXAMPLES_OF), ROBOTS))
DISLIKES = ("robot navigation of drones", "code review", "medical images")


@dataclass(frozen=True)
class Person:
    """A made-up reader."""

    interests: Interests = field(default_factory=Interests)
    kept: tuple[Reading, ...] = ()
    unwanted: tuple[Reading, ...] = ()
    notes: tuple[Reading, ...] = ()


PEOPLE = {
    "writes interests": Person(BOTH),
    "links examples": Person(WITH_EXAMPLES),
    "dislikes": Person(replace(BOTH, dislikes=DISLIKES)),
    "keeps notes": Person(Interests((ROBOTS,)), notes=NOTES),
    "judges": Person(kept=KEPT, unwanted=UNWANTED),
    "does it all": Person(replace(WITH_EXAMPLES, dislikes=DISLIKES), KEPT, UNWANTED, NOTES),
}
MINILM = "all-MiniLM-L6-v2"
ENCODERS = [
    "words",
    "static",
    pytest.param(
        MINILM,
        marks=[
            pytest.mark.slow,
            pytest.mark.skipif(model_folder(MINILM) is None, reason="no weights here"),
        ],
    ),
]
each_encoder = pytest.mark.parametrize("encoder", ENCODERS)
each_person = pytest.mark.parametrize("who", PEOPLE)


@cache
def day(who: str, encoder: str) -> Ranking:
    person = PEOPLE[who]
    return Readers(POOL, encoder).ranking(
        person.interests,
        kept=person.kept,
        unwanted=person.unwanted,
        notes=person.notes,
        liked=PAST,
    )


def told(who: str, encoder: str, *keys: str) -> list[tuple[str, dict, str | None]]:
    """Paper, what fills the reason's places, and the paper's interest."""
    return [
        (row.id, dict(reason.values), row.interest)
        for row in day(who, encoder).rows
        for reason in row.reasons
        if reason.key in keys
    ]


IDS = [one.id for one in sorted(POOL, key=lambda one: one.id)]
PLACE = {paper: at for at, paper in enumerate(IDS)}
TEXTS = [one.text for one in sorted(POOL, key=lambda one: one.id)]
BY_ID = {one.id: one for one in two_mailings()}


@cache
def tfidf() -> tuple[TfidfVectorizer, object]:
    vectorizer = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, stop_words="english")
    return vectorizer, vectorizer.fit_transform(TEXTS)


def known(text: str) -> float:
    """How much of a text the pool's words make up (`WordSpace.known_shares`)."""
    everything = TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, stop_words="english", norm=None
    ).fit([text])
    vectorizer, _ = tfidf()
    rarest = 1 + np.log(1 + len(TEXTS))
    counts = 1 + np.log(
        [everything.build_analyzer()(text).count(term) for term in everything.vocabulary_]
    )
    idf = np.array(
        [
            vectorizer.idf_[vectorizer.vocabulary_[term]]
            if term in vectorizer.vocabulary_
            else rarest
            for term in everything.vocabulary_
        ]
    )
    here = np.array([term in vectorizer.vocabulary_ for term in everything.vocabulary_])
    squares = (counts * idf) ** 2
    return float(np.sqrt(squares[here].sum() / squares.sum()))


def standard(column: np.ndarray, usual: tuple[float, float] | None) -> np.ndarray:
    mean, spread = column.mean(), column.std()
    if usual:
        weight = len(column) / (len(column) + 20)
        mean = usual[0] + weight * max(mean - usual[0], 0)
        spread = usual[1] + weight * max(spread - usual[1], 0)
    return (column - mean) / max(spread, 1e-9)


@cache
def words_of(text: str) -> np.ndarray:
    """Closeness of the pool to a text by words, before it is standardised."""
    vectorizer, matrix = tfidf()
    analyze = vectorizer.build_analyzer()
    asked = {term for term in analyze(text) if " " not in term}
    shared = [len(asked & set(analyze(one))) for one in TEXTS]
    overlap = (matrix @ vectorizer.transform([text]).T).toarray().ravel()
    return overlap * known(text) * np.sqrt(np.array(shared) / max(len(asked), 1))


@cache
def cosines(text: str, encoder: str) -> np.ndarray:
    return embedded(encoder, TEXTS) @ embedded(encoder, [text])[0]


@cache
def close(text: str, encoder: str) -> np.ndarray:
    """Closeness of the pool to a text, by words and vectors."""
    family = family_of(encoder, embedded(encoder, TEXTS).shape[1])
    by_words = family.parts[0] * standard(words_of(text), family.words)
    if encoder == "words":
        return by_words
    near = standard(cosines(text, encoder).astype(float), family.vectors)
    return by_words + family.parts[1] * near


def lend(columns: list[np.ndarray], encoder: str) -> np.ndarray:
    assert len(POOL) >= CROWD
    ordered = sorted(POOL, key=lambda one: one.id)
    return lent(np.stack(columns, axis=1), ordered, Readers(POOL, encoder).vectors(ordered))


@cache
def totals(who: str, encoder: str) -> np.ndarray:
    """Papers against interests, then against the nearest of the reader's notes."""
    person = PEOPLE[who]
    columns = []
    for interest, text in zip(
        person.interests.interests, texts_to_embed(person.interests), strict=False
    ):
        column = close(text, encoder)
        if interest.examples:
            near = [close(BY_ID[paper].text, encoder) for paper in interest.examples]
            column = EXAMPLES * (column + np.mean(near, axis=0))
        columns.append(column)
    if person.notes:
        near = [close(note.text, encoder) for note in person.notes]
        columns.append(np.max(near, axis=0) - np.sqrt(2 * np.log(len(near))))
    return lend(columns, encoder)


def text_of(interests: Interests, name: str) -> str:
    names = [interest.name for interest in interests.interests]
    return texts_to_embed(interests)[names.index(name)]


@each_encoder
@each_person
def test_the_interest_a_paper_is_shown_under_is_its_best(who, encoder):
    if who == "judges":
        assert {row.interest for row in day(who, encoder).rows} == {None}
        return
    names = [interest.name for interest in PEOPLE[who].interests.interests]
    every = totals(who, encoder)
    shown = 0
    for row in day(who, encoder).rows:
        mine = every[PLACE[row.id]]
        if row.interest is None:
            assert mine.max() <= 1e-6 or mine.argmax() == len(names)
            continue
        assert mine[names.index(row.interest)] >= mine.max() - 1e-5
        assert mine.max() > -1e-6
        shown += 1
    assert shown >= 5


@each_encoder
@each_person
def test_deciding_words_stand_in_both_and_each_makes_up_a_part_of_the_overlap(who, encoder):
    interests = PEOPLE[who].interests
    vectorizer, matrix = tfidf()
    columns, analyze = vectorizer.vocabulary_, vectorizer.build_analyzer()
    reasons = [
        (paper, values["words"], text_of(interests, values["interest"]))
        for paper, values, _ in told(who, encoder, "reason_words")
    ] + [
        (paper, values["words"], values["dislike"])
        for paper, values, _ in told(who, encoder, "reason_disliked_words")
    ]
    for paper, words, text in reasons:
        asked = vectorizer.transform([text])
        product = matrix[PLACE[paper]].multiply(asked)
        for word in words:
            assert word.casefold() in " ".join(BY_ID[paper].text.split()).casefold()
            terms = analyze(word)
            assert set(terms) <= set(analyze(text))
            part = sum(product[0, columns[term]] for term in {*terms, terms[-1]})
            assert part >= LEAST_PART * product.sum() - 1e-9
    assert reasons or who == "judges"


@each_encoder
@each_person
def test_as_many_percent_of_the_day_are_farther_away_as_is_said(who, encoder):
    reasons = told(who, encoder, "reason_content")
    for paper, values, interest in reasons:
        column = cosines(text_of(PEOPLE[who].interests, interest), encoder)
        share = 100 * np.mean(column < column[PLACE[paper]])
        assert values["percent"] <= share + 0.5
        assert share - values["percent"] < 1.5
        by_vectors = standard(
            column.astype(float), family_of(encoder, embedded(encoder, TEXTS).shape[1]).vectors
        )
        assert by_vectors[PLACE[paper]] > 0
    assert bool(reasons) == (encoder != "words" and who != "judges")


@each_encoder
@each_person
def test_an_interest_named_without_words_shares_some_common_ones(who, encoder):
    for paper, values, _ in told(who, encoder, "reason_interest"):
        text = text_of(PEOPLE[who].interests, values["interest"])
        assert words_of(text)[PLACE[paper]] > 0


@each_encoder
@pytest.mark.parametrize("who", ["links examples", "does it all"])
def test_the_example_is_the_nearest_one_and_says_more_than_the_text(who, encoder):
    reasons = told(who, encoder, "reason_example")
    near = {paper: close(BY_ID[paper].text, encoder) for paper in EXAMPLES_OF}
    text = close(text_of(PEOPLE[who].interests, AGENTS.name), encoder)
    for paper, values, interest in reasons:
        at = PLACE[paper]
        assert values["id"] in EXAMPLES_OF
        assert values["title"] == BY_ID[values["id"]].title
        assert (values["interest"], interest) == (AGENTS.name, AGENTS.name)
        assert near[values["id"]][at] >= max(each[at] for each in near.values()) - 1e-5
        assert np.mean([each[at] for each in near.values()]) > max(text[at], 0) - 1e-5
    assert reasons


@each_encoder
@each_person
def test_interests_that_match_too_are_half_as_close_at_least(who, encoder):
    names = [interest.name for interest in PEOPLE[who].interests.interests]
    for paper, values, interest in told(who, encoder, "reason_also"):
        mine = totals(who, encoder)[PLACE[paper]]
        best = mine[names.index(interest)]
        for other in values["interests"]:
            assert mine[names.index(other)] >= max(BITES, 0.5 * best) - 1e-5


@each_encoder
@pytest.mark.parametrize("who", ["keeps notes", "does it all"])
def test_the_note_named_is_the_nearest_and_nearer_than_any_interest(who, encoder):
    reasons = told(who, encoder, "reason_note")
    near = {note.id: close(note.text, encoder) for note in NOTES}
    for paper, values, _ in reasons:
        at = PLACE[paper]
        assert near[values["path"]][at] >= max(each[at] for each in near.values()) - 1e-5
        assert values["note"] == {note.id: note.title for note in NOTES}[values["path"]]
        mine = totals(who, encoder)[at]
        assert mine[-1] >= mine.max() - 1e-5
    assert len(reasons) > 5


@cache
def to_judged(encoder: str) -> tuple[list[str], np.ndarray, list[np.ndarray], list[float]]:
    """Closeness to the judged papers, by all that the learned model looks at."""
    judged = [*KEPT, *UNWANTED]
    texts = [*TEXTS, *(one.text for one in judged)]
    titles = [*(BY_ID[paper].title for paper in IDS), *(one.title for one in judged)]
    count = len(TEXTS)
    rows = embedded(encoder, texts).astype(float)
    rows -= rows[:count].mean(axis=0)
    rows /= np.maximum(np.linalg.norm(rows, axis=1), 1e-9)[:, None]
    least = 2 if len(texts) >= taste.MANY else 1
    usual = {"sublinear_tf": True, "stop_words": "english", "min_df": least}
    words, in_titles = TfidfVectorizer(ngram_range=(1, 2), **usual), TfidfVectorizer(**usual)
    blocks = [
        words.fit_transform(texts).toarray(),
        in_titles.fit_transform(titles).toarray(),
        rows,
    ]
    near = np.zeros((count, len(judged)))
    scales = []
    for block in blocks:
        alike = block[:count] @ block[count:].T
        near += (alike - alike.mean(axis=0)) / np.maximum(alike.std(axis=0), 0.02)
        scales.append(max((block[:count] @ block[:count].T).std(), 1e-9))
    return [one.id for one in judged], near, blocks, scales


@each_encoder
@pytest.mark.parametrize("who", ["judges", "does it all"])
@pytest.mark.parametrize(("key", "group"), [("reason_kept", KEPT), ("reason_unwanted", UNWANTED)])
def test_the_judged_paper_named_was_judged_so_and_is_the_nearest(who, encoder, key, group):
    ids, near, _, _ = to_judged(encoder)
    columns = [ids.index(one.id) for one in group]
    reasons = told(who, encoder, key)
    for paper, values, _ in reasons:
        mine = near[PLACE[paper]]
        named = mine[ids.index(values["id"])]
        assert values["id"] in {one.id for one in group}
        assert values["title"] == BY_ID[values["id"]].title
        assert named >= mine[columns].max() - 1e-3
        assert named >= taste.NEAR - 1e-3
    assert reasons


@cache
def ridge(encoder: str) -> tuple[np.ndarray, np.ndarray]:
    """What scikit-learn's ridge regression says of the pool, and what each word is worth."""
    _, _, blocks, scales = to_judged(encoder)
    stacked = np.hstack(
        [block / np.sqrt(scale) for block, scale in zip(blocks, scales, strict=True)]
    )
    count, judged = len(TEXTS), len(KEPT) + len(UNWANTED)
    ages = 0.5 ** (np.arange(judged) / taste.HALF_LIFE)
    weights = np.concatenate([np.ones(count), ages * (taste.SHARE * count / ages.sum())])
    wanted = np.concatenate([np.zeros(count), np.ones(len(KEPT)), -np.ones(len(UNWANTED))])
    centred = stacked - (weights / weights.sum()) @ stacked
    strength = taste.RIDGE * (centred**2).sum() / len(centred)
    model = Ridge(alpha=strength * weights.mean(), solver="cholesky")
    model.fit(stacked, wanted, sample_weight=weights)
    width = blocks[0].shape[1]
    return model.predict(stacked[:count]), model.coef_[:width] / np.sqrt(scales[0])


@each_encoder
def test_what_is_learned_is_what_another_ridge_regression_learns(encoder):
    said, worth = ridge(encoder)
    learned = day("judges", encoder).values.taste
    assert np.corrcoef(said, learned.liking)[0, 1] > 0.99999
    assert np.allclose(learned.words.toarray().ravel(), worth, atol=1e-6)


@each_encoder
@pytest.mark.parametrize("who", ["judges", "does it all"])
def test_words_like_those_of_kept_papers_speak_for_the_paper(who, encoder):
    _, worth = ridge(encoder)
    reasons = told(who, encoder, "reason_kept_words")
    vectorizer = day(who, encoder).values.taste.space.vectorizer
    vocabulary, analyze = vectorizer.vocabulary_, vectorizer.build_analyzer()
    kept = " ".join(one.text for one in KEPT).casefold()
    for paper, values, _ in reasons:
        for word in values["words"]:
            terms = analyze(word)
            assert word.casefold() in " ".join(BY_ID[paper].text.split()).casefold()
            assert worth[vocabulary[terms[-1]]] > 0
            assert any(term in kept for term in terms)
    assert reasons


@each_encoder
@pytest.mark.parametrize("who", ["judges", "does it all"])
def test_opinions_are_named_where_they_moved_the_paper_that_way(who, encoder):
    person = PEOPLE[who]
    found = day(who, encoder).values
    said, _ = ridge(encoder)
    liking = lend([said - said.mean()], encoder).ravel()
    for key, sign in (("reason_kept", 1), ("reason_kept_words", 1), ("reason_unwanted", -1)):
        for paper, _, _ in told(who, encoder, key):
            assert sign * liking[PLACE[paper]] > 0
            assert sign * found.learned(PLACE[paper]) >= LEAST_SHARE
    assert person.kept


@each_encoder
@pytest.mark.parametrize("who", ["dislikes", "does it all"])
def test_a_dislike_is_named_exactly_where_it_lowered_the_value(who, encoder):
    person = PEOPLE[who]
    readers = Readers(POOL, encoder)
    found = day(who, encoder).values
    for dislike in DISLIKES:
        without = replace(
            person.interests, dislikes=tuple(one for one in DISLIKES if one != dislike)
        )
        before = readers.ranking(
            without, kept=person.kept, unwanted=person.unwanted, notes=person.notes, liked=PAST
        ).values
        lowered = {paper for paper in IDS if found.value[PLACE[paper]] < before.value[PLACE[paper]]}
        named = {
            paper
            for paper, values, _ in told(who, encoder, "reason_disliked", "reason_disliked_words")
            if values["dislike"] == dislike
        }
        assert named == lowered


@each_encoder
def test_only_papers_that_were_not_good_enough_are_shown_to_find_out(encoder):
    rows = day("does it all", encoder).rows
    readings = {one.id: one for one in POOL}
    chosen = select(rows, 10, 3, readings, explore=2)
    plain = {row.id for row in select(rows, 10, 3, readings)}
    uncertain = [row for row in chosen if row.reasons[0].key == "reason_explore"]
    assert len(uncertain) == 2
    assert {row.id for row in chosen} - {row.id for row in uncertain} == plain
    assert all(row.id not in plain and row.stars >= 2 for row in uncertain)
    assert "reason_explore" not in {each.key for row in rows for each in row.reasons}


def test_watched_authors_and_ids_are_named_for_their_papers_alone():
    authors = {IDS[3]: ("Ada Lovelace", "Kurt Gödel"), IDS[4]: ("A. Lovelace",)}
    watch = replace(BOTH, watched_authors=("Kurt Godel",), watched_ids=(IDS[7],))
    rows = Readers(POOL, "words").ranking(watch, authors=authors).rows
    named = {row.id: row.reasons[0] for row in rows if row.watched}
    assert {paper: reason.key for paper, reason in named.items()} == {
        IDS[3]: "reason_author",
        IDS[7]: "reason_listed",
    }
    assert dict(named[IDS[3]].values) == {"name": "Kurt Gödel"}
