"""A paragraph on methods, with citations, ready for a paper."""

from __future__ import annotations

from collections.abc import Sequence

from mahc.data import Kind, ReadSettings
from mahc.data.prepare.notes import merged_label
from mahc.plurals import count, noun, verb
from mahc.results.learned import Learned
from mahc.settings import EVERY

ALGORITHM_TEXTS = {
    "mahc": ("Model-Averaging Hill-Climbing (MAHC)", "mahc"),
    "hc": ("greedy hill-climbing", "hc"),
    "tabu": ("tabu search", "tabu"),
    "boss": ("Best Order Score Search (BOSS)", "boss"),
    "boss-pag": ("order search followed by orientation rules for hidden causes (BOSS-PAG)", "boss"),
    "pc-stable": ("PC-Stable", "pc"),
    "fci": ("Fast Causal Inference (FCI)", "fci"),
    "mmhc": ("Max-Min Hill-Climbing (MMHC)", "mmhc"),
    "saiyanh": ("SaiyanH", "saiyanh"),
    "exact": ("exact score-based learning", "exact"),
}
SCORE_TEXTS = {
    "bic": ("the Bayesian information criterion (BIC)", "bic"),
    "aic": ("Akaike's information criterion (AIC)", "aic"),
    "bdeu": ("the BDeu score", "bdeu"),
    "fnml": ("the factorized normalized maximum likelihood (fNML)", "fnml"),
    "qnml": ("the quotient normalized maximum likelihood (qNML)", "qnml"),
    "loglik": ("the log-likelihood", None),
    "smooth": ("the smooth score, a penalised Gaussian likelihood of functions of ranks and of states", None),
    "mixed": ("qNML for states and the smooth score (a Gaussian model of functions of ranks) for numbers", "qnml"),
    "gaussian-bic": ("the Bayesian information criterion (BIC) of linear Gaussian regressions", "bic"),
    "bge": ("the BGe score", "bge"),
}
REFERENCES = {
    "mahc": "Constantinou, A. C., Liu, Y., Kitson, N. K., Chobtham, K., & Guo, Z. (2022). Effective and efficient "
    "structure learning with pruning and model averaging strategies. International Journal of Approximate "
    "Reasoning. https://doi.org/10.1016/j.ijar.2022.09.016",
    "hc": "Heckerman, D., Geiger, D., & Chickering, D. M. (1995). Learning Bayesian networks: The combination of "
    "knowledge and statistical data. Machine Learning, 20, 197-243.",
    "tabu": "Bouckaert, R. R. (1995). Bayesian belief networks: From construction to inference. PhD thesis, "
    "University of Utrecht.",
    "boss": "Andrews, B., Ramsey, J., Sanchez-Romero, R., Camchong, J., & Kummerfeld, E. (2023). Fast scalable and "
    "accurate discovery of DAGs using the best order score search and grow-shrink trees. Advances in Neural "
    "Information Processing Systems.",
    "pc": "Colombo, D., & Maathuis, M. H. (2014). Order-independent constraint-based causal structure learning. "
    "Journal of Machine Learning Research, 15, 3921-3962.",
    "fci": "Spirtes, P., Meek, C., & Richardson, T. (1999). An algorithm for causal inference in the presence of "
    "latent variables and selection bias. In C. Glymour & G. Cooper (Eds.), Computation, Causation, and Discovery "
    "(pp. 211-252). MIT Press.",
    "mmhc": "Tsamardinos, I., Brown, L. E., & Aliferis, C. F. (2006). The max-min hill-climbing Bayesian network "
    "structure learning algorithm. Machine Learning, 65, 31-78.",
    "saiyanh": "Constantinou, A. C. (2020). Learning Bayesian networks that enable full propagation of evidence. "
    "IEEE Access, 8.",
    "exact": "Cussens, J. (2011). Bayesian network learning with cutting planes. Proceedings of the 27th Conference on "
    "Uncertainty in Artificial Intelligence, 153-160.",
    "bic": "Schwarz, G. (1978). Estimating the dimension of a model. The Annals of Statistics, 6, 461-464.",
    "aic": "Akaike, H. (1974). A new look at the statistical model identification. IEEE Transactions on Automatic "
    "Control, 19, 716-723.",
    "bdeu": "Buntine, W. (1991). Theory refinement on Bayesian networks. Proceedings of the 7th Conference on "
    "Uncertainty in Artificial Intelligence, 52-60.",
    "bge": "Geiger, D., & Heckerman, D. (2002). Parameter priors for directed acyclic graphical models and the "
    "characterization of several probability distributions. The Annals of Statistics, 30, 1412-1440.",
    "fnml": "Silander, T., Roos, T., Kontkanen, P., & Myllymäki, P. (2008). Factorized normalized maximum likelihood "
    "criterion for learning Bayesian network structures. Proceedings of the 4th European Workshop on Probabilistic "
    "Graphical Models.",
    "qnml": "Silander, T., Leppä-aho, J., Jääsaari, E., & Roos, T. (2018). Quotient normalized maximum likelihood "
    "criterion for learning Bayesian network structures. Proceedings of the 21st International Conference on "
    "Artificial Intelligence and Statistics.",
    "bootstrap": "Friedman, N., Goldszmidt, M., & Wyner, A. (1999). Data analysis with Bayesian networks: A bootstrap "
    "approach. Proceedings of the 15th Conference on Uncertainty in Artificial Intelligence.",
}


MISSING_TEXTS = {
    "state": "Missing values were a state of their own. ",
    "drop": "Rows with missing values were left out. ",
    "impute": "Missing values were filled in with their most probable state given their Markov blanket, and the graph "
    "was learned again. ",
    "pairwise": "Each family was scored or tested on the rows in which its variables are observed. ",
    "weighted": "Each family was scored on the rows in which its variables are observed, weighted by the inverse of "
    "the probability that they are. ",
    "structural-em": "Missing values were completed by structural expectation-maximisation. ",
}


def describe_methods(learned: Learned, rows: str | None = None) -> dict[str, object]:
    """The paragraph and the references that it cites, in their order; `rows` says how rows were made of the data.

    >>> import mahc
    >>> found = describe_methods(mahc.learn({"a": ["x", "y"] * 30, "b": ["x", "y"] * 30}, "hc"))
    >>> found["paragraph"][:67]
    'The structure of a Bayesian network was learned from 60 rows and 2 '
    """
    run, known = learned.run, learned.knowledge
    algorithm, cited = ALGORITHM_TEXTS.get(learned.algorithm, (learned.algorithm, None))
    measure, score_cited = SCORE_TEXTS.get(run.score.name, (run.score.name, None))
    degree = getattr(run.score, "degree", None)
    measure += f", with functions of degree {degree}" if degree is not None else ""
    keys = [key for key in (cited, score_cited) if key is not None]
    places = {key: number for number, key in enumerate(keys, 1)}

    def cite(key: str | None) -> str:
        return f" [{places[key]}]" if key in places else ""

    text = (
        f"The structure of a Bayesian network was learned from {count(learned.data.rows, 'row')} and "
        f"{count(len(learned.variables), _kind_of_variables(learned))} with {algorithm}{cite(cited)}, "
    )
    if learned.kind == "DAG":
        text += f"which searched for the graph of highest score by {measure}{cite(score_cited)}. "
    else:
        text += f"which tests conditional independence and gives a {learned.kind}; {measure}{cite(score_cited)} is "
        text += "reported for a DAG that fits it. "
    text += "" if rows is None else f"{rows} "
    error = run.measurement_error
    if error is not None and error.noticed:
        text += (
            f"The first graph showed signs of measurement error (kappa {error.kappa:.2g}: the share of the information "
            "of pairs that their parents should explain and do not), so an arc had to add more than "
            f"{100 * error.relative_price:g} % of what its pair gains alone. "
        )
    text += _describe_reading(learned) + _describe_knowledge(known.to_dict())
    either = sum(1 for edge in learned.pattern.edges if edge.mark == "---")
    size = count(len(learned.outcome.adjacent), learned.outcome.edge_word)
    text += (
        f"The learned graph has {size}; the direction of {either:,} of them is not determined by data and knowledge. "
    )
    text += f"The run ended because {learned.outcome.describe_end(run)}. "
    sample = learned.confidence
    if sample is not None and sample.origin == "posterior":
        text += f"The shares of the arcs are those of {count(sample.size, 'sampled graph')}"
        if sample.sampling is not None:
            text += (
                f", drawn by {count(sample.sampling.chains, 'Markov chain')} in proportion to "
                f"exp({sample.sampling.beta:g} x score)"
            )
        text += ". "
    elif sample is not None and sample.parts:
        keys.append("bootstrap")
        text += f"The shares of the arcs are those of {sample.describe()} [{len(keys)}]. "
    elif sample is not None:
        keys.append("bootstrap")
        text += f"Confidence of the arcs was estimated from {count(sample.size, 'bootstrap resample')} [{len(keys)}]. "
    text += f"The software was mahc {run.version}; the data have the fingerprint {learned.data.fingerprint[:16]}."
    return {"paragraph": text, "references": [REFERENCES[key] for key in keys]}


def _kind_of_variables(learned: Learned) -> str:
    return "variable" if Kind.CONTINUOUS in learned.run.score.columns else "discrete variable"


def _describe_reading(learned: Learned) -> str:
    """What was done to the data before and while they were learned from: the record of the run, in sentences."""
    record = learned.data.reading
    if record is None:
        return MISSING_TEXTS.get(learned.run.missing or "", "")
    settings = ReadSettings(**record.settings)
    found = []
    if settings.drop:
        found.append(f"Left out: {_listed('column', settings.drop)}.")
    if settings.columns is not None:
        used = len(learned.variables)
        found.append(f"Of the columns of the data only {count(used, 'variable')} {verb(used, 'were')} used.")
    if isinstance(settings.weights, str):
        found.append(f"The rows were weighted by the column {settings.weights}.")
    if learned.run.experiments is not None:
        found.append(f"Some rows come from experiments: {learned.run.experiments.describe()}.")
    for column, tokens in settings.tokens.items():
        where = "in all columns" if column == EVERY else f"in {column}"
        found.append(f"Read as missing {where}: {', '.join(tokens)}.")
    missing = learned.run.missing or (settings.missing if settings.missing in ("state", "drop") else "")
    found += [MISSING_TEXTS[missing].strip()] if missing else []
    for column, cuts in record.cut_points.items():
        points = ", ".join(f"{cut:.6g}" for cut in cuts)
        found.append(f"{column} was cut into intervals at {points}." if cuts else f"{column} is one interval.")
    for column, groups in record.merged.items():
        merged = ", ".join(merged_label(group) for group in groups if len(group) > 1)
        found.append(f"Neighbouring states of {column} were merged: {merged}.")
    if learned.run.numbers is not None and (record.cut_points or record.merged):
        found.append("The cut points were learned together with the graph, by qNML.")
    if settings.categorical:
        found.append(f"Every number was kept as a state: {_listed('column', settings.categorical)}.")
    if settings.merge_states:
        found.append("States that differ only in case or blanks were made one.")
    return " ".join([*found, ""])


def _listed(word: str, names: Sequence[str]) -> str:
    return f"the {noun(len(names), word)} {', '.join(names)}"


def _describe_knowledge(known: dict[str, object]) -> str:
    parts = []
    for name, word in (
        ("required_arcs", "required arc"),
        ("required_edges", "required edge"),
        ("forbidden_arcs", "forbidden arc"),
        ("forbidden_edges", "forbidden edge"),
        ("tiers", "temporal tier"),
        ("beliefs", "belief about the probability of an arc"),
        ("contexts", "context"),
    ):
        value = known.get(name)
        if isinstance(value, list) and value:
            parts.append(count(len(value), word))
    return f"Prior knowledge was given as {', '.join(parts)}. " if parts else "No prior knowledge was given. "
