"""Word lists by which the lexicon's maker tells names of things from the rest of a title."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTION_WORDS = _words("""
a about across after against al all along also amid among an and any around as at based be been
before behind being beneath between beyond both but by can could did do does during each either et
every for from had has have he her here his how i if in into is it its least less let like make
makes matter matters may meet meets might more most must my need needs neither no nor not of off on
one one's only onto or our out over per s shall she should so such t than that the their them then
there these they this those three through to too toward towards two under unlike up upon us using
versus very via vs was we were what when where which while who whom whose why will with within
without would you your
""")
"""Words at which a title is cut, beside punctuation."""

LEADS_NOTHING = _words("""
accelerated accurate addressing aligning analyzing assessing assisted auditing augmented automated
automating aware beating benchmarking better bounded browsing characterizing comparative
computational continuous cost curated decoding defending democratizing detecting discovering domain
driven dual efficient estimating evaluation evidence exact experimental explainable fair finding
flexible forecasting free generalized grounding guided hierarchical human-centered identifying
improved improving informed intelligent interpretable iterative joint large-scale learning local
mapping measuring mitigating modeling modelling monitoring multi-level multi-scale navigating open
optimal optimized optimizing parallel personalized practical predicting preliminary probabilistic
profiling proving pruning public red reliable responsible rethinking revisited safe sample scaling
selective semantic sequential simulating smart soft solving stable statistical steering structural
structured synthetic systematic teaching test think tracking training trustworthy tuning ultra
understanding universal unlocking unsupervised verifiable verified
""")
"""Verbs, and adjectives that suit everything: no name begins with them."""

HEADS_NOTHING = _words("""
act advance age application are assessment assisted attempt augmented aware based baseline case
centric challenge characterization check clear click comparison competition conditioned
consideration constrained corpus dark dataset deployment driven effort empirical enhanced era
estimate evidence example experiment exploration fail far fast finding fix free future guide guided
guideline help ia ii iii informed inside investigation keep know landscape learn lens lesson level
library look low manner matter me meaning method mid noon on oriented outlook overview package
perform perspective pro production promise proof quest regularized review right rise roadmap say
select sense setting start story struggle supervised survey taking task thing think thought toolbox
toolkit tune tutorial view vision vista way workshop world's write
""")
"""Last words that mean nothing alone."""

NO_TOPICS = _words("""
acceptance adam adoption agency aggregation agreement align alzheimer annotation approximation
assistance association atla awareness back bar barrier bird birds book bottleneck break breaking
bridge call capability care cascade cdm ceiling center chain children clip coefficient collapse
comment complementarity completeness composition concentration conditioning conjecture connection
construction convergence conversation correspondence count counting coupling creation culture dark
decomposition definition demonstration denoising depend dependence derivation description
determination disagreement discrepancy disruption distribution divergence diversity divide don dot
dream drift duality edit editing ell emergence enhancement epoch equivalence euclid evolution
excitation existence expansion exploitation extraction factorization fit fluctuation forget
forgetting formalism formation formula fragility generalization ground grounding guarantee hallo
hardness harm harness heterogeneity hierarchy hurt id identification iii illusion imitation
industry inflation influence initialization innovation instrument interference interplay
interpolation interpretation intersection isolation judgment knowing lean locality lost map mapping
mar matching mathbb mathcal mathematic mathrm measurement memes merger method metric mirage
misalignment mitigation mixing modelling moment necessary necessity ngc normalization note
observable obstruction optimality origin outcome pathway persistence perturbation phenomena
predictor prism probe profile projection prospect pruning pushing quantification read reading
reality recall recipe redundancy refine reflection register regularity relationship remember repair
replay resistance resolution restoration retrieve ring sage saturation scoring screening searching
see seeing sensitivity separation shadow shaping shortcut signature similarity smoothing societies
society sok speak spectra spectrum status steering storage sum suppression symmetries symmetry
synchronization synergy synthesis talk technology tell tension theorem thinking thought thoughts
touch tracer tracing track transfer transferability transformation trend triage trigger truth
unification universality unveiling validity variability violation wild wrong
""")
"""Words that stand alone in titles and yet name no field of work."""
