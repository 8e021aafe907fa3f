"""What other tools do with the same day: a score for every paper, None if it cannot be had."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from obsidian_digest.core.ranking.value import texts_to_embed
from obsidian_digest.model import Interests, Reading

STOP = frozenset({"and", "for", "how", "that", "the", "their", "what", "with", "are", "from"})


@dataclass(frozen=True)
class Day:
    """A batch, what the reader picked of it (and elsewhere), and what he had picked before."""

    name: str
    readings: tuple[Reading, ...]
    picked: frozenset[str]
    history: tuple[Reading, ...]
    """Newest first."""
    looked_at: frozenset[str] | None = None
    """The papers that count, where the reader saw only a part of what was announced."""


Given = tuple[np.ndarray, np.ndarray, np.ndarray] | None
"""Unit rows of the papers, of the history and of the interests."""
Peer = Callable[[Day, Interests, Given], np.ndarray | None]


def keyword_count(day: Day, _interests: Interests, _given: Given) -> np.ndarray:
    """How often a paper says "agent", the one word that a reader of this kind would filter by."""
    return np.array(
        [len(re.findall(r"\bagent", each.text, re.IGNORECASE)) for each in day.readings]
    )


def keywords_of_interests(day: Day, interests: Interests, _given: Given) -> np.ndarray:
    """How often a paper says any word of the interests' headings."""
    names = " ".join(each.name for each in interests.interests).lower()
    words = {word.removesuffix("s") for word in re.findall(r"[a-z]{3,}", names)} - STOP
    pattern = re.compile(rf"\b(?:{'|'.join(sorted(words))})", re.IGNORECASE)
    return np.array([len(pattern.findall(each.text)) for each in day.readings])


def single_vector(_day: Day, _interests: Interests, given: Given) -> np.ndarray | None:
    """One vector for all interests together."""
    if given is None:
        return None
    papers, _, asked = given
    return papers @ asked.mean(axis=0)


def tfidf_interests(day: Day, interests: Interests, _given: Given) -> np.ndarray:
    """TF-IDF cosine to the nearest interest."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    space = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, stop_words="english")
    matrix = space.fit_transform([each.text for each in day.readings])
    return (matrix @ space.transform(texts_to_embed(interests)).T).toarray().max(axis=1)


def mean_cosine(day: Day, _interests: Interests, given: Given) -> np.ndarray | None:
    """Mean cosine to the library, newer entries weighing more, as zotero-arxiv-daily has it."""
    if given is None or not day.history:
        return None
    papers, history, _ = given
    weights = 1 / (1 + np.log10(np.arange(len(history)) + 1))
    return (papers @ history.T) @ (weights / weights.sum())


def svm(day: Day, _interests: Interests, _given: Given) -> np.ndarray | None:
    """A linear SVM on TF-IDF, the library against the day, as arxiv-sanity-lite has it."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    if not day.history:
        return None
    texts = [each.text for each in (*day.readings, *day.history)]
    matrix = TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, stop_words="english", max_features=20_000
    ).fit_transform(texts)
    wanted = [0] * len(day.readings) + [1] * len(day.history)
    model = LinearSVC(class_weight="balanced", C=0.01, random_state=0).fit(matrix, wanted)
    return model.decision_function(matrix[: len(day.readings)])


PEERS: dict[tuple[str, str], Peer] = {
    ("cold", 'count of "agent"'): keyword_count,
    ("cold", "count of the headings' words"): keywords_of_interests,
    ("cold", "single-vector interest"): single_vector,
    ("cold", "TF-IDF, nearest interest"): tfidf_interests,
    ("history", 'count of "agent"'): keyword_count,
    ("history", "mean cosine with recency (zotero-arxiv-daily)"): mean_cosine,
    ("history", "TF-IDF and linear SVM (arxiv-sanity-lite)"): svm,
}
