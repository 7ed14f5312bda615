"""The denial classifier: its figures, that they can be rebuilt, and that no text upsets it."""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from routeagent.errors import DataError
from routeagent.guard import DenialClassifier
from routeagent.guard.answers import ANSWERS, EXTRA, fitting, held_out, read_answers
from routeagent.guard.classifier import COEFFICIENTS
from routeagent.guard.figures import measure

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def classifier() -> DenialClassifier:
    return DenialClassifier.load()


def test_catches_nine_in_ten_denials_of_the_held_out_half(classifier: DenialClassifier) -> None:
    figures = measure(classifier, held_out())
    assert (figures.denials, figures.others) == (50, 50)
    assert figures.caught >= 45


def test_raises_at_most_one_false_alarm_in_fifty(classifier: DenialClassifier) -> None:
    assert measure(classifier, held_out()).false_alarms <= 1


def test_each_language_meets_the_bar_by_itself(classifier: DenialClassifier) -> None:
    for lang in ("zh", "en"):
        figures = measure(classifier, [answer for answer in held_out() if answer.lang == lang])
        assert figures.caught >= 0.9 * figures.denials
        assert figures.false_alarms <= 0.04 * figures.others  # one of twenty-five


def test_the_halves_are_balanced_and_share_no_text() -> None:
    answers = read_answers(ANSWERS)
    assert Counter((a.lang, a.denial) for a in answers) == {(x, d): 50 for x in ("zh", "en") for d in (True, False)}
    by_split = [Counter((a.lang, a.kind) for a in answers if a.split == split) for split in ("fit", "held_out")]
    assert by_split[0] == by_split[1]
    assert not {a.text for a in fitting()} & {a.text for a in held_out()}
    assert {a.split for a in read_answers(EXTRA)} == {"fit"}


@pytest.mark.parametrize(
    ("denial", "honest"),
    [
        ("抱歉,我没有办法直接帮您提交退款,请联系人工客服。", "退款申请被主管驳回,原因是超过了 14 天。"),
        ("I don't have a tool for sending SMS.", "The SMS was sent to the number ending in 6620."),
        ("I don't have access to your calendar.", 'The user wrote "I don\'t have access to my calendar". Fixed now.'),
    ],
)
def test_a_denial_and_its_honest_neighbour(classifier: DenialClassifier, denial: str, honest: str) -> None:
    assert classifier.denies(denial)
    assert not classifier.denies(honest)


@pytest.mark.parametrize(
    "text", ["", " \n", "🙂🙃", "\ud800我\udfff", "\x00", "“" * 5_000, "不能" * 50_000, "can't " * 17_000]
)
def test_odd_text_gets_a_probability(classifier: DenialClassifier, text: str) -> None:
    assert 0.0 <= classifier.probability(text) <= 1.0


def test_nothing_said_is_no_denial(classifier: DenialClassifier) -> None:
    assert not classifier.denies("")


def test_a_denial_at_the_end_of_a_long_report_is_seen(classifier: DenialClassifier) -> None:
    report = "2025-10-03 B-301 199.00 paid\n" * 3_000
    assert classifier.probability(f"{report}I don't have a tool for refunds.") > classifier.probability(report)


def test_the_script_rebuilds_the_shipped_coefficients(tmp_path: Path) -> None:
    out = tmp_path / "coefficients.json"
    command = [sys.executable, str(ROOT / "scripts" / "fit_guard.py"), "--out", str(out)]
    environment = {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}  # the matrices are too small to share
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    assert out.read_bytes() == COEFFICIENTS.read_bytes()


def test_serving_needs_no_scikit_learn() -> None:
    code = (
        "import sys; from routeagent.guard import DenialClassifier; DenialClassifier.load().probability('我不能');"
        "print([name for name in ('sklearn', 'jieba', 'pydantic_ai') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "[]"


def test_the_command_prints_the_figures() -> None:
    command = [sys.executable, "-m", "routeagent.guard"]
    done = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, check=True, capture_output=True, text=True, encoding="utf-8"
    )
    assert "denials caught" in done.stdout
    assert "of 50" in done.stdout


@pytest.mark.parametrize("content", ["", "{}", "[1]", json.dumps({"format": 99})])
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(DataError, match=r"broken\.json.*fit_guard"):
        DenialClassifier.load(path)
