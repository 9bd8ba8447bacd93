"""Submissions: whose they are, how far they have come, and the versions that they become."""

from dataclasses import replace

import pytest

from arena.ids import SubmissionId, VersionId
from arena.store import (
    Conflict,
    NewSubmission,
    NewVersion,
    Rejected,
    Request,
    Store,
    Submission,
    SubmissionState,
    Unknown,
    Version,
    VersionKind,
    VersionState,
)
from tests.store.examples import a_hash, new_version, spec

ANN = NewSubmission(name="ann", owner="zoe", content_hash=a_hash(5))


def submitted(new: NewSubmission = ANN) -> NewVersion:
    """The version that a submission becomes."""
    return NewVersion(
        name=new.name,
        owner=new.owner,
        kind=VersionKind.SUBMITTED,
        identity=new.content_hash,
        command=("./bot",),
        directory=f"bots/{new.content_hash}",
    )


def finish(store: Store, new: NewSubmission = ANN) -> tuple[Submission, Version]:
    """Submit something that builds."""
    return store.finish_submission(store.begin_submission(new).id, submitted(new))


def test_a_submission_comes_to_be_a_version(store: Store) -> None:
    begun = store.begin_submission(ANN)
    assert (begun.state, begun.version, begun.bot) == (SubmissionState.RECEIVED, None, None)
    moved = store.move_submission(begun.id, SubmissionState.BUILDING)
    assert moved.changed_us > begun.changed_us
    done, version = store.finish_submission(begun.id, submitted())
    assert (done.state, done.version, done.bot) == (SubmissionState.READY, version.id, version.bot)
    assert (version.kind, version.identity) == (VersionKind.SUBMITTED, ANN.content_hash)
    assert store.submission(begun.id) == done


def test_a_bot_of_a_submission_that_fails_is_nobodys(store: Store) -> None:
    begun = store.begin_submission(ANN)
    failed = store.move_submission(begun.id, SubmissionState.FAILED, "it does not build")
    assert (failed.state, failed.reason) == (SubmissionState.FAILED, "it does not build")
    assert store.bots() == ()
    store.begin_submission(replace(ANN, owner="bob"))


def test_what_is_over_stays_so(store: Store) -> None:
    begun = store.begin_submission(ANN)
    store.move_submission(begun.id, SubmissionState.FAILED, "no")
    with pytest.raises(Rejected, match="failed"):
        store.move_submission(begun.id, SubmissionState.BUILDING)
    with pytest.raises(Rejected, match="failed"):
        store.finish_submission(begun.id, submitted())
    assert store.versions() == ()


def test_a_bots_name_belongs_to_its_first_owner(store: Store) -> None:
    late = store.begin_submission(replace(ANN, owner="bob"))
    finish(store)
    with pytest.raises(Conflict, match="somebody else"):
        store.begin_submission(replace(ANN, owner="bob", content_hash=a_hash(6)))
    with pytest.raises(Conflict, match="somebody else"):
        store.finish_submission(late.id, submitted(replace(ANN, owner="bob")))
    assert store.submission(late.id).state is SubmissionState.RECEIVED


@pytest.mark.parametrize("name", ["Ann", "\uff41nn"], ids=["case", "wide"])
def test_a_name_that_looks_like_anothers_is_refused(store: Store, name: str) -> None:
    twin = replace(ANN, name=name, content_hash=a_hash(6))
    late = store.begin_submission(twin)
    finish(store)
    with pytest.raises(Conflict, match="differs from 'ann' by its case alone"):
        store.begin_submission(twin)
    with pytest.raises(Conflict, match="differs from 'ann' by its case alone"):
        store.finish_submission(late.id, submitted(twin))
    assert [bot.name for bot in store.bots()] == ["ann"]


def test_the_same_content_is_the_same_version_and_other_content_another(store: Store) -> None:
    _, first = finish(store)
    _, again = finish(store)
    _, other = finish(store, replace(ANN, content_hash=a_hash(6)))
    assert again.id == first.id
    assert (first.label, other.label) == ("1", "2")


def test_a_repeated_request_is_one_submission(store: Store) -> None:
    request = Request("SubmitBot", "r", a_hash(1))
    assert store.submission_of(request) is None
    begun = store.begin_submission(ANN, request)
    assert store.begin_submission(ANN, request) == begun
    assert store.submission_of(request) == begun
    with pytest.raises(Conflict, match="another content"):
        store.submission_of(replace(request, content_hash=a_hash(2)))
    assert store.submissions() == (begun,)


def test_who_submitted_is_in_the_audit_log(store: Store) -> None:
    store.begin_submission(ANN)
    (entry,) = store.audit_log()
    assert (entry.who, entry.action, entry.subject) == ("zoe", "submit bot", "bot ann")


def test_submissions_are_listed_newest_first_by_owner_and_bot(store: Store) -> None:
    one = store.begin_submission(ANN)
    two = store.begin_submission(replace(ANN, name="bea"))
    three = store.begin_submission(replace(ANN, name="carl", owner="bob"))
    assert store.submissions() == (three, two, one)
    assert store.submissions(owner="zoe") == (two, one)
    assert store.submissions(name="bea") == (two,)
    assert store.submissions(before=three.id, most=1) == (two,)


def test_what_is_not_over_is_told_the_oldest_first(store: Store) -> None:
    finish(store)
    begun = [store.begin_submission(ANN), store.begin_submission(ANN)]
    built = store.move_submission(begun[0].id, SubmissionState.BUILDING)
    assert store.unfinished_submissions() == (built, begun[1])


def test_a_version_is_paused_and_plays_again_when_it_is_submitted_again(store: Store) -> None:
    _, version = finish(store)
    paused = store.set_version_state(version.id, VersionState.PAUSED, "it crashed")
    assert (paused.state, paused.note) == (VersionState.PAUSED, "it crashed")
    _, again = finish(store)
    assert (again.id, again.state, again.note) == (version.id, VersionState.ACTIVE, "")


def test_a_version_is_retired_for_good(store: Store) -> None:
    _, version = finish(store)
    store.set_version_state(version.id, VersionState.RETIRED, by="zoe")
    assert store.set_version_state(version.id, VersionState.RETIRED, by="zoe").state is (
        VersionState.RETIRED
    )
    with pytest.raises(Rejected, match="for good"):
        store.set_version_state(version.id, VersionState.ACTIVE)
    with pytest.raises(Rejected, match="retired"):
        finish(store)
    outcomes = [one.outcome for one in store.audit_log() if one.action == "retire bot"]
    assert outcomes == ["done", "unchanged"]


def test_what_is_not_there_or_was_not_submitted_is_refused(store: Store) -> None:
    plain = store.register_version(new_version("bob"))
    with pytest.raises(Rejected, match="not submitted"):
        store.set_version_state(plain.id, VersionState.RETIRED)
    with pytest.raises(Unknown):
        store.set_version_state(VersionId(99), VersionState.RETIRED)
    with pytest.raises(Unknown):
        store.submission(SubmissionId(99))
    with pytest.raises(Unknown):
        store.move_submission(SubmissionId(99), SubmissionState.FAILED)
    with pytest.raises(Rejected):
        replace(ANN, content_hash="short")


def test_what_nothing_needs_any_more_is_known(store: Store) -> None:
    news = [replace(ANN, content_hash=a_hash(number)) for number in range(5, 9)]
    kept, played, gone, shared = (finish(store, new)[1] for new in news)
    finish(store, replace(news[3], name="bob", owner="bob"))
    store.create_tournament(spec((played.id, kept.id)))
    for version in (played, gone, shared):
        store.set_version_state(version.id, VersionState.RETIRED)
    assert store.contents_of("zoe") == tuple(sorted(a_hash(number) for number in range(5, 9)))
    assert store.needless_contents("zoe") == (gone.identity,)
    assert (store.contents_of("bob"), store.needless_contents("bob")) == ((a_hash(8),), ())
    with pytest.raises(Rejected, match="is retired and plays no more"):
        store.create_tournament(spec((gone.id, kept.id), "late"))
    store.set_version_state(store.versions("bob")[0].id, VersionState.RETIRED)
    assert store.needless_contents("bob") == (a_hash(8),)


def test_submissions_are_listed_among_some(store: Store) -> None:
    first, second, _ = (store.begin_submission(ANN) for _ in range(3))
    others = store.begin_submission(replace(ANN, name="bob", owner="bob"))
    among = (first.id, others.id, second.id)
    assert store.submissions(owner="zoe", among=among) == (second, first)
    assert store.submissions(among=()) == ()
