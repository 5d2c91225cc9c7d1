"""What the database holds."""

from qrelsmith.web.models.accounts import Account, Assessor, Invite, LoginFailure, Role
from qrelsmith.web.models.assignments import AssignedDoc, Assignment
from qrelsmith.web.models.content import Doc, DocVersion, ScaleVersion, Topic, TopicVersion
from qrelsmith.web.models.events import Event
from qrelsmith.web.models.logs import Activity, OrganiserAction
from qrelsmith.web.models.model_assessors import ApiToken, ModelSetting

__all__ = [
    "Account",
    "Activity",
    "ApiToken",
    "Assessor",
    "AssignedDoc",
    "Assignment",
    "Doc",
    "DocVersion",
    "Event",
    "Invite",
    "LoginFailure",
    "ModelSetting",
    "OrganiserAction",
    "Role",
    "ScaleVersion",
    "Topic",
    "TopicVersion",
]
