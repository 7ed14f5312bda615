"""The file: built the same every time, whole under a race, put aside when no good, kept where it can be written."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from domains import make_deps
from domains._ledger.database import build, open_database

ROOT = Path(__file__).resolve().parents[2]
OPEN = "from domains._ledger.database import open_database; print(open_database())"


def dump(database: bytes) -> list[str]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(database)
        return list(connection.iterdump())


@pytest.fixture(scope="module")
def fresh() -> list[str]:
    return dump(build())


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "made" / "on first use.db"
    monkeypatch.setenv("CLOUDLEDGER_DB", str(path))
    return path


def open_elsewhere(folder: Path, **variables: str) -> subprocess.Popen[str]:
    """Another process that opens the database, with the `domains` of a folder."""
    kept = {name: value for name, value in os.environ.items() if name != "CLOUDLEDGER_DB"}
    environment = {**kept, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-c", OPEN]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, encoding="utf-8")


def test_two_builds_are_the_same(fresh: list[str]) -> None:
    assert dump(build()) == fresh
    assert len(fresh) > 1000


def test_a_path_of_ones_own_goes_before_the_variable(place: Path, tmp_path: Path, fresh: list[str]) -> None:
    deps = make_deps(tmp_path / "deep" / "own.db")
    assert deps.database == tmp_path / "deep" / "own.db"
    assert dump(deps.database.read_bytes()) == fresh
    assert not place.exists()


def test_another_process_builds_the_same_whatever_its_hash_seed(fresh: list[str], tmp_path: Path) -> None:
    process = open_elsewhere(ROOT, CLOUDLEDGER_DB=str(tmp_path / "other.db"), PYTHONHASHSEED="12345")
    process.communicate()
    assert dump((tmp_path / "other.db").read_bytes()) == fresh


def test_it_is_built_on_first_use_and_kept_afterwards(place: Path) -> None:
    deps = make_deps()
    assert deps.database == place
    assert str(deps.today) == "2026-10-20"
    with deps.change() as change:
        change.run("UPDATE customers SET contact = '新联系人' WHERE customer_id = 'C001'")
    again = make_deps().rows("SELECT contact FROM customers WHERE customer_id = 'C001'")
    assert again == [{"contact": "新联系人"}]
    assert not list(place.parent.glob("*.bak"))


@pytest.mark.parametrize(
    "before", [None, b"this is no database", b""], ids=["no file", "a damaged file", "an empty file"]
)
def test_processes_that_build_at_once_end_with_one_good_file(
    fresh: list[str], tmp_path: Path, before: bytes | None
) -> None:
    path = tmp_path / "cloudledger.db"
    if before is not None:
        path.write_bytes(before)
    processes = [open_elsewhere(ROOT, CLOUDLEDGER_DB=str(path)) for _ in range(2)]
    printed = [process.communicate()[0].strip() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert printed == [str(path)] * 2
    assert dump(path.read_bytes()) == fresh
    aside = path.with_name("cloudledger.db.bak")
    assert (aside.read_bytes() if aside.exists() else None) == before


def older(fresh: bytes) -> bytes:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.deserialize(fresh)
        connection.execute("PRAGMA user_version = 0")
        return connection.serialize()


@pytest.mark.parametrize("broken", ["damaged", "older"])
def test_a_file_that_is_no_good_is_put_aside_and_built_again(fresh: list[str], place: Path, broken: str) -> None:
    bad = older(build()) if broken == "older" else b"SQLite format 3\0" + b"\xff" * 5000
    place.parent.mkdir()
    place.write_bytes(bad)
    assert open_database() == place
    assert place.with_name(f"{place.name}.bak").read_bytes() == bad
    assert dump(place.read_bytes()) == fresh


def test_where_the_folder_cannot_be_written_to_the_cache_serves(fresh: list[str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "domains", tmp_path / "domains", ignore=shutil.ignore_patterns(".data", "__pycache__"))
    # A file where the folder would be: that stops even root, whom permissions don't.
    (tmp_path / "domains" / ".data").write_text("in the way", encoding="utf-8")
    cache = tmp_path / "cache"
    printed, _ = open_elsewhere(tmp_path, ROUTEAGENT_CACHE=str(cache)).communicate()
    assert printed.strip() == str(cache / "cloudledger.db")
    assert dump((cache / "cloudledger.db").read_bytes()) == fresh


def test_without_a_variable_it_lies_beside_the_domains(fresh: list[str], tmp_path: Path) -> None:
    shutil.copytree(ROOT / "domains", tmp_path / "domains", ignore=shutil.ignore_patterns(".data", "__pycache__"))
    printed, _ = open_elsewhere(tmp_path, ROUTEAGENT_CACHE=str(tmp_path / "cache")).communicate()
    assert printed.strip() == str(tmp_path / "domains" / ".data" / "cloudledger.db")
    assert dump(Path(printed.strip()).read_bytes()) == fresh


def test_a_named_place_that_cannot_be_written_to_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("CLOUDLEDGER_DB", str(tmp_path / "file" / "cloudledger.db"))
    with pytest.raises(OSError):
        open_database()


def test_raising_inside_a_change_undoes_it(place: Path) -> None:
    deps = make_deps()
    before = dump(place.read_bytes())
    with pytest.raises(RuntimeError, match="halfway"), deps.change() as change:
        change.run("DELETE FROM customer_tags")
        raise RuntimeError("halfway")
    assert dump(place.read_bytes()) == before


def test_a_change_keeps_foreign_keys(place: Path) -> None:
    with pytest.raises(sqlite3.IntegrityError), make_deps().change() as change:
        change.insert("customer_tags", customer_id="C999", tag="VIP")


def test_reading_cannot_write(place: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        make_deps().rows("DELETE FROM customer_tags")
