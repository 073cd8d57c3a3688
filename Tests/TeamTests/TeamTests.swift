import Team
import Testing
