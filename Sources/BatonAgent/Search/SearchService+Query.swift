import Activity
import SearchInterface
import VarlinkService
import ControlInterface
extension SearchService { func query(_ p: QueryItems.Parameters, _ e: Exchange<QueryItems>) { e.fail(ControlFailure(.expressionInvalid)) } }
