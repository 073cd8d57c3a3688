import Activity
import ControlInterface
import SearchInterface
import VarlinkService

extension SearchService {
  func query(_ p: QueryItems.Parameters, _ e: Exchange<QueryItems>) { e.fail(ControlFailure(.expressionInvalid)) }
}
