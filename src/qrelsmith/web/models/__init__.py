"""The tables of the database."""

from qrelsmith.web.models.accounts import Account, Assessor, Identity, Invite, LoginFailure, Role
from qrelsmith.web.models.assignments import AnswerAspect, AnswerAssignment, AssignedDoc, Assignment
from qrelsmith.web.models.content import Doc, DocVersion, ScaleVersion, Topic, TopicVersion
from qrelsmith.web.models.crowds import Batch, CrowdWorker, Hit, Sitting, TrainingAnswer
from qrelsmith.web.models.desk import DeskEvent
from qrelsmith.web.models.events import AnswerEvent, Event
from qrelsmith.web.models.jobs import Job
from qrelsmith.web.models.logs import Activity, CampaignHead, OrganiserAction, Stamp
from qrelsmith.web.models.model_assessors import ApiToken, ModelReply, ModelSetting
from qrelsmith.web.models.preferences import Contest, PairTask, PreferenceEvent, PreferenceVersion
from qrelsmith.web.models.rounds import RejudgingRound

__all__ = [
    "Account",
    "Activity",
    "AnswerAspect",
    "AnswerAssignment",
    "AnswerEvent",
    "ApiToken",
    "Assessor",
    "AssignedDoc",
    "Assignment",
    "Batch",
    "CampaignHead",
    "Contest",
    "CrowdWorker",
    "DeskEvent",
    "Doc",
    "DocVersion",
    "Event",
    "Hit",
    "Identity",
    "Invite",
    "Job",
    "LoginFailure",
    "ModelReply",
    "ModelSetting",
    "OrganiserAction",
    "PairTask",
    "PreferenceEvent",
    "PreferenceVersion",
    "RejudgingRound",
    "Role",
    "ScaleVersion",
    "Sitting",
    "Stamp",
    "Topic",
    "TopicVersion",
    "TrainingAnswer",
]
