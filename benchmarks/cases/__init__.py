"""The cases, in the order in which they run and are reported."""

from cases.batch import Batch
from cases.effects import Effects
from cases.eq import Equalizer
from cases.files import Files
from cases.memory import Memory
from cases.nodes import Nodes
from cases.quality import Quality
from cases.rate import Rate
from cases.same import Same
from cases.seeks import Seeks
from cases.shared import Shared
from cases.spatial import Spatial
from cases.stems import Stems
from cases.timepitch import TimePitch
from cases.units import Units
from cases.welch import Welch

CASES = {
    case.name: case
    for case in (
        Stems(), Shared(), Batch(), Rate(), Equalizer(), Effects(), Same(), TimePitch(), Quality(), Spatial(), Files(), Seeks(), Welch(), Nodes(), Units(),
        Memory(),
    )
}  # fmt: skip
