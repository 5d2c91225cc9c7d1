import pytest

from qrelsmith.base.errors import InputError, InputWarning
from qrelsmith.collection.teams import read_teams, team_numbers


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "teams.txt"
        path.write_text(text)
        return path

    return write


def test_each_run_has_its_team(file):
    teams = read_teams(file("# tag team\nr1 Waseda\n\nr2\tTsinghua\r\nr3  Waseda"))
    assert teams == {"r1": "Waseda", "r2": "Tsinghua", "r3": "Waseda"}
    names, numbers = team_numbers(["r3", "r2", "r1"], teams)
    assert names == ("Tsinghua", "Waseda")
    assert numbers.tolist() == [1, 0, 1]


def test_a_run_without_a_team_is_a_separate_team():
    names, numbers = team_numbers(["r1", "r2"], {"r1": "z"})
    assert names == ("r2", "z")
    assert numbers.tolist() == [1, 0]
    assert team_numbers([], {}) == ((), pytest.approx([]))


def test_unknown_names_of_runs_are_reported():
    with pytest.warns(InputWarning, match="the teams include the unknown run 'r1.run' and 1 more"):
        team_numbers(["r1"], {"r1.run": "a", "r2.run": "a"})


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("r1 team one\n", ":1", "found 3 fields in 'r1 team one'; expected 2: run team"),
        ("r1 a\nr2 b\nr1 a\n", ":3", "the run 'r1' appears twice"),
        ("# nothing\n", "", "the file has no runs"),
    ],
)
def test_a_malformed_file_is_an_error(file, text, place, problem):
    path = file(text)
    with pytest.raises(InputError) as caught:
        read_teams(path)
    assert str(caught.value).startswith(f"{path}{place}: {problem}")
