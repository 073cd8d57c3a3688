// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Search
import VarlinkServer

extension SearchService {
  func query(_ parameters: QueryItems.Parameters, _ exchange: Exchange<QueryItems>) {
    do throws(SearchExpressionError) {
      let expression = try SearchExpression(parsing: parameters.expression)
      let matcher = SearchMatcher(expression, now: Loop.clock.date) { UTCOffset.at($0) }
      ItemQuery(parameters, matcher, store, exchange).advance()
    } catch {
      exchange.fail(ControlFailure(.expressionInvalid, message: error.message))
    }
  }
}
