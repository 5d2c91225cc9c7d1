"""Coefficients of agreement between assessors, with intervals."""

# Importing a module registers its coefficients.
from qrelsmith.agreement.alpha import krippendorff_alpha
from qrelsmith.agreement.bootstrap import bootstrap_interval
from qrelsmith.agreement.breakdown import (
    PairwiseAgreement,
    TopicAgreement,
    mean_over_topics,
    pairwise,
)
from qrelsmith.agreement.coincidence import Coincidences, alpha_of_coincidences, coincidences
from qrelsmith.agreement.gwet import gwet_ac
from qrelsmith.agreement.intervals import POPULATIONS, agreement_interval
from qrelsmith.agreement.kappa import cohen_kappa, light_kappa
from qrelsmith.agreement.multirater import conger_kappa, fleiss_kappa, percent_agreement
from qrelsmith.agreement.phi import checco_phi, expected_precision
from qrelsmith.agreement.registry import COEFFICIENTS, add_coefficient
from qrelsmith.agreement.result import AgreementResult
from qrelsmith.agreement.topic_interval import topic_interval
from qrelsmith.base.registration import load_modules

__all__ = [
    "COEFFICIENTS",
    "POPULATIONS",
    "AgreementResult",
    "Coincidences",
    "PairwiseAgreement",
    "TopicAgreement",
    "add_coefficient",
    "agreement_interval",
    "alpha_of_coincidences",
    "bootstrap_interval",
    "checco_phi",
    "cohen_kappa",
    "coincidences",
    "conger_kappa",
    "expected_precision",
    "fleiss_kappa",
    "gwet_ac",
    "krippendorff_alpha",
    "light_kappa",
    "mean_over_topics",
    "pairwise",
    "percent_agreement",
    "topic_interval",
]

# This also loads modules that are not imported above.
load_modules(__name__, __path__, "@COEFFICIENTS.add(")
