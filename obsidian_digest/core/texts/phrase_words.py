"""Word lists by which noun phrases are told from the rest of an English abstract."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BREAKERS = _words("""
a able about above accelerate accelerates access accurate achieve achieves achieving acquire
acquires across act acts actual actually adapt adaptive adapts additional additionally address
addresses advanced advancement advancements advances advancing after against aim aims aligns all
allow allowing allows alone along already also although among amplifies amplify an and another any
applies apply applying are argue argues arise arises around arxiv as ask at automate automates
available average aware balancing base based be because become becomes been before begin being
below best better better-than between beyond boosting both bridging bring brings build building
builds built but by called calls can cannot capture captures careful certain change closing
coarse-grained collaborate com combine combines combining come comes common commonly compare
compared comparing complete complex comprehensive conduct confirm confirms consider considering
consists construct contain contains contribute contributes conventional correct corresponding could
critical crucial crucially current days decompose decomposes deep deeper define defines delivers
demonstrate demonstrates demonstrating depend depends derive derived describe designed desired
despite detect detects develop developed develops did different difficult directly discrete
distinct diverse do does doing done down downstream due during dynamic e.g each early easy
effective effectively efficient either eliciting emerge emerges emerging employ employs empower
empowering empowers enable enables enabling encourage encourages end-to-end enhance enhances
enhancing ensure ensures ensuring entire especially essential establish etc evade evades evaluate
evaluates evaluating even every evolve evolves examine exceed exhibit exhibits exist existing
exists explicit explore explores exploring expose exposes extend extends extensive extract extracts
facilitate facilitates fail fails false fast few final find finds fine-grained first
first-principles five focus focuses follow following for form found four from full fully further
furthermore general generalist generalize generalizes generate generates generating github give
given gives go good great growing guaranteed guide guides had handle handles hard has have having
he help helps hence her here high higher highlight highlighting highlights hold holds hours how
however http https human-like hybrid i i.e ideal identifies identify if illustrate illustrates
implement implements implicit important improve improved improves improving in in-the-wild
incentivizing include includes including incomplete incorporate incorporates incorrect increase
increases increasingly indicate indicates induce induces infer inform inherent inherit inherits
initial instantiate instantiates instead integrate integrates interact interacts into intrinsic
introduce introduces introducing investigate investigates is it its itself just keep kept key know
known lack lacks large large-scale largely larger last late lead leading leads learn learned learns
least leave leaves less let leverage leverages leveraging lies lightweight like likely limited lite
long long-term longer low lower made main mainly maintain maintains major make makes making many
match matches max may mean means meet meets might mind mini minor mitigate mitigates modern
modifies modify months more moreover most motivate move much multi-stage multiple must mutual named
natural naturally near near-optimal need needed needs neither never new next no non none nor not
novel now numerous observe obtain of off offer offers offline often on once one online only onto
open-source open-sourced open-weight operate operates optimal optimize optimizes optimizing or
organize organizes original other others our ours out out-of-the-box outperform outperforming
outperforms over overall overcome own packages particularly per perform performs place play plays
plug-and-play plus popular pose poses possible predict predicts present presents preserve preserves
preserving prevent previous principled prior pro produce produces producing promising propose
proposed proposes prove proves provide provides providing quickly raise raises rapid rapidly rather
reach reaches real real-world recent reduce reduces reducing reinforcing release released releasing
relevant relies rely relying remain remains replace report represent reproduce reproduces require
required requires requiring resolve resolves respective respectively resulting retain retains
rethinking return returns reveal reveals revisiting rich robust run runs same scalable scales
second seed seek seen select selects separate series serve serves several severe she short-term
shorter should show showing shown shows significant similar simple simply simulate simulates
simultaneously since single six slow small small-scale so so-called solve solves solving some
specific spent standard state-of-the-art static stem still store stores strict strong strongly
struggle struggles study suboptimal substantial substantially such suffer suffers sufficient
suggest suggests summarize summarizes support supports surpass systematically take takes teach
teaches ten tend termed tested than that the their them themselves then there thereby therefore
these they third this those three three-stage through thus times to together too top top-k total
toward towards traditional train trained transforming treat treats true two two-stage typically
ultra unclear under underlying underscore underscores understand unified unifies unify unique
unknown unleashing unlike unlikely unlocking until up upon upstream us use used useful uses using
utilize utilizes validate various varying verify versatile very via view vs want was we well
well-known were what when where whether which while who whole whose why wide widely will with
within without work would www year years yet yield yielding yields you your zero
""")
"""Words that no noun phrase holds: function words, verbs of abstracts, words of praise."""

HEADLESS = _words("""
ability ablation accuracy addition advance advantage ahead aim almost amount approach area art
aspect assumption attempt author background baseline basis behavior behaviour benefit benign black
blind capability case cause challenge characteristic choice class code coherent collection
combination comparison competent complexity component concept conclusion condition consequence
consistent content contribution core cost costly couple coverage data dataset default degree demand
dense detail development difference difficulty dimension direction domain drop edge effect
effectiveness efficiency efficient effort element end enough error evidence exact example
experiment experimental exposure extension fact factor failure family feature field figure finding
form formal formulation foundation fraction framework frequent full function future gain gap goal
group growth hand idea impact implementation implication importance improvement increase
independent information input insight instance instruct insufficient interest introduction io issue
item kind latent length level lift limit limitation line linear list loss lot magnitude majority
manner margin mean measure method methodology metric mobile mode module motivation name nature need
noisy nonlinear notion number objective observation one open open-ended opportunity order outcome
output overview page paper paradigm parameter part pass past path pattern percent percentage
performance period perspective phase phenomenon piece pipeline point position potential power
practice presence principle problem procedure process product progress project prominent prompt
property proposal public quality quantity question range rate ratio raw reason record reduction
redundant regime region relation relevance report requirement research researcher respect response
rest result role rollout rule run safe sample scalar scenario scene scheme scope score section
secure self sensitive series set setting setup severe shift side size solution source space sparse
stage state step strategy strength structure study subset success suite summary support task
technique term thing threshold time token top total trade-off tradeoff transparent turn type usage
use user utility value variable variant variation variety version view volume way weakness weight
whereas whole word work world year
""")
"""Words that end no telling phrase: what every paper has or does."""

ALONE_TOO_GENERAL = _words("""
action adaptation agent ai algebra algorithm alignment analysis answer application architecture
artifact assessment assistant auditing authority benchmark bias bound budget capacity case claim
classification collaboration communication computation computing concern consistency constraint
context control correctness decision deployment design detection diagnosis discovery discrete
distance document dynamic dynamics encoding engineering environment equation estimation evaluation
execution experience expert exploration feedback field file follow-up frontier game gate generation
generator gradient graph group guidance history human image inference infrastructure instruction
integration intelligence interaction interface judge knowledge label language latency law layer
learner learning library limit llm lm logic loop machine making management math mathematics matrix
mechanism memory metadata mining mixture ml model modeling monitoring network nlp objective
observation operation operator optimization optimizer orchestration paper participant people person
plan planning platform policy post-training practitioner prediction pretraining procedure
processing production program proof protocol provider quality quantum query raise rank reasoning
recognition recovery reliability repository representation request resource review reward risk
robot robustness role routing sampling scale scaling science scientist search security seed
selection semantic semantics sequence server service signal simulation skill software space
specification speech stability student supervision surface survey system target teacher team test
testing text theory tool topic trace training trajectory transition tree trial tuning ui
uncertainty understanding update validation variance verification video vision web workflow
workload writing
""")
"""Words that name a theme only together with another."""

GERUNDS = _words("""
accounting alignment answering auditing backporting banking bargaining being bidding binding
blending bootstrapping branching browsing building caching calling captioning chunking cloning
clustering coding compiling computing coupling crawling crowdsourcing deblurring debugging decoding
dehazing denoising drafting driving eavesdropping editing embedding encoding engineering farming
filtering finding fine-tuning finetuning fishing flying folding forecasting fuzzing gaming gating
grading grasping grounding hacking hashing hearing hedging imaging indexing inpainting jailbreaking
king labeling landing learning lending lensing lighting linking load-balancing lobbying
localization localizing making manipulating manufacturing mapping marketing matching meeting
mentoring merging meshing mining mixing modeling modelling monitoring morphing negotiating
networking offloading outsourcing painting parking parsing phishing planning poisoning
post-training pre-training prefetching pretraining pricing processing profiling programming
prompting proving pruning question-answering ranking reasoning recycling red-teaming relighting
rendering reporting reviewing ring routing sampling scaling scheduling screening searching
self-play self-training sensing serving shading shaping shopping sling smoothing spelling splatting
splitting spoofing spring steering stitching string swarming swing tagging tampering teaming
testing texturing thinking timing tracking trading training tuning tutoring unlearning voting
walking warming warping watermarking welding wing writing
""")
"""Words in -ing that are nouns; others are taken for verbs."""

NOUNS = _words("""
adversary alternative animal anomaly appraisal approval arithmetic arrival assemble assembly
asteroid bed bible boundary bubble cable capital channel characteristic clinic contest control
credential critic crystal denial diagnostic dictionary differential dispersal double ellipsoid
embed ensemble epidemic fabric family feed feedback forest goal harvest heuristic history hospital
humanoid incentive initiative integral interest interval journal kernel library logic manifest
manual material mechanic memory metric monopoly music narrative need noble objective perspective
polynomial portal potential preamble principle proposal protocol public quest recall refusal
rehearsal removal reply request retrieval rubric secondary seed signal speed statistic summary
supply survival table test tool topic topology traffic trajectory trial triple tutorial variable
vocabulary
""")
"""Nouns that end like adjectives."""

NAMES_OF_MODELS = _words("""
aime alfworld alpaca anthropic bert chatgpt claude codex deepseek gemini gemma glm google gpt
gpt-based grok gsm haiku kimi llama llama-based meta microsoft mistral mixtral olmo openai openclaw
opus phi qwen qwen-based sciworld sonnet vicuna webshop
""")
"""Names of models and benchmarks, which tell what was measured on and not what a theme is about."""

FAINT = _words("""
advanced agent agentic ai analysis application artificial autonomous based benchmark capability
data evaluation foundation framework frontier general generative intelligence language large
learning llm lm method mllm model multi perspective real reasoning scientific study survey system
task training vlm world
""")
"""Words that fit half of a day's papers: a phrase made of nothing else tells little."""
