"""What the database holds."""

from qrelsmith.web.models.accounts import Account, Assessor, Invite, LoginFailure, Role
from qrelsmith.web.models.assignments import AssignedDoc, Assignment
from qrelsmith.web.models.content import Doc, DocVersion, ScaleVersion, Topic, TopicVersion
from qrelsmith.web.models.crowds import Batch, CrowdWorker, Hit, Sitting, TrainingAnswer
from qrelsmith.web.models.events import Event
from qrelsmith.web.models.logs import Activity, OrganiserAction
from qrelsmith.web.models.preferences import (
    Contest,
    PairTask,
    PreferenceEvent,
    PreferenceVersion,
)

__all__ = [
    "Account",
    "Activity",
    "Assessor",
    "AssignedDoc",
    "Assignment",
    "Batch",
    "Contest",
    "CrowdWorker",
    "Doc",
    "DocVersion",
    "Event",
    "Hit",
    "Invite",
    "LoginFailure",
    "OrganiserAction",
    "PairTask",
    "PreferenceEvent",
    "PreferenceVersion",
    "Role",
    "ScaleVersion",
    "Sitting",
    "Topic",
    "TopicVersion",
    "TrainingAnswer",
]
