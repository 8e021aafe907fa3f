"""Words of papers as a TF-IDF space: what keyword search sees, weighted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import TfidfVectorizer

    from obsidian_digest.model import Reading


@dataclass(frozen=True, slots=True, eq=False)
class WordSpace:
    """TF-IDF over one set of papers: 1- and 2-grams, sublinear counts, unit rows."""

    ids: tuple[str, ...]
    matrix: csr_matrix
    """Shape (len(ids), vocabulary); rows in the order of `ids`."""
    vocabulary: tuple[str, ...]
    vectorizer: TfidfVectorizer

    def project(self, texts: Sequence[str]) -> csr_matrix:
        """Other texts as unit rows of this space; unknown words count nothing."""
        return self.vectorizer.transform(texts).tocsr()

    def holders(self, term: str) -> int:
        """How many of the papers hold a term of the vocabulary; told from its smoothed idf."""
        import numpy as np  # noqa: PLC0415 (heavy)

        idf = self.vectorizer.idf_[self.vectorizer.vocabulary_[term]]
        return round((1.0 + len(self.ids)) / float(np.exp(idf - 1.0))) - 1

    def known_shares(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """How much of each text this space knows, 0 to 1; shape (len(texts),).

        The length of the text's projection over the length it would have, were every word of it
        known and as rare as can be. Cosines times this share can be compared between pools: in a
        pool that lacks most of a text's words, the few others no longer pass for the whole.
        """
        import numpy as np  # noqa: PLC0415 (heavy)

        analyze = self.vectorizer.build_analyzer()
        rarest = 1.0 + np.log(1.0 + len(self.ids))  # smoothed idf of a word in no paper
        shares = np.zeros(len(texts))
        for place, text in enumerate(texts):
            known = total = 0.0
            for term, count in Counter(analyze(text)).items():
                column = self.vectorizer.vocabulary_.get(term)
                idf = rarest if column is None else self.vectorizer.idf_[column]
                square = ((1.0 + np.log(count)) * idf) ** 2
                total += square
                known += square if column is not None else 0.0
            shares[place] = np.sqrt(known / total) if total else 0.0
        return shares

    def single_words(self, texts: Sequence[str]) -> tuple[csr_matrix, NDArray[np.int64]]:
        """The single words of each text, without stop words: which this space knows, and how many.

        Returns:
            0/1 rows over the vocabulary, shape (len(texts), vocabulary), and the number of
            different words in each text, unknown ones included.
        """
        import numpy as np  # noqa: PLC0415 (heavy)
        from scipy.sparse import csr_matrix  # noqa: PLC0415 (heavy)

        analyze, columns = self.vectorizer.build_analyzer(), self.vectorizer.vocabulary_
        words = [{term for term in analyze(text) if " " not in term} for text in texts]
        places = [sorted(columns[word] for word in found if word in columns) for found in words]
        starts = np.cumsum([0, *map(len, places)])
        indices = np.array([column for row in places for column in row], dtype=np.int64)
        shape = (len(texts), len(columns))
        rows = csr_matrix((np.ones(len(indices)), indices, starts), shape=shape)
        return rows, np.array([len(found) for found in words], dtype=np.int64)


def word_space(readings: Sequence[Reading], *, min_df: int = 1) -> WordSpace:
    """The TF-IDF space of these papers' titles and abstracts; needs at least one word."""
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 (1.7 s)

    vectorizer = TfidfVectorizer(
        ngram_range=(1, 2), sublinear_tf=True, stop_words="english", min_df=min_df
    )
    matrix = vectorizer.fit_transform([reading.text for reading in readings]).tocsr()
    ids = tuple(reading.id for reading in readings)
    vocabulary = [""] * matrix.shape[1]
    for term, column in vectorizer.vocabulary_.items():
        vocabulary[column] = term
    return WordSpace(ids, matrix, tuple(vocabulary), vectorizer)


def title_space(readings: Sequence[Reading], *, min_df: int = 1) -> csr_matrix:
    """TF-IDF unit rows of the titles' single words, shape (papers, vocabulary).

    Raises ValueError where no title holds a word.
    """
    from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: PLC0415 (1.7 s)

    vectorizer = TfidfVectorizer(sublinear_tf=True, stop_words="english", min_df=min_df)
    return vectorizer.fit_transform([reading.title for reading in readings]).tocsr()
