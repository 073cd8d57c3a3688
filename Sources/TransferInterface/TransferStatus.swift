import Activity
import JSONCoding
import Varlink

/// Returns where files arrive, and how much room there is.
package enum GetTransferStatus: Method {
  package static let name = "io.baton.Transfers.GetStatus"
  package typealias Parameters = Nothing

  package struct Reply: Structure {
    /// An absolute path.
    package let folder: String
    /// Why nothing can arrive there, in English. Nil if nothing is known to be in the way.
    package let trouble: String?
    /// The free space of its disk in bytes. Nil if it is not known.
    @Coded<Count?> package var free: Int?
    /// How much of that stays free.
    @Coded<Count> package var keepFree: Int

    package init(folder: String, trouble: String?, free: Int?, keepFree: Int) {
      self.folder = folder
      self.trouble = trouble
      self.free = free
      self.keepFree = keepFree
    }
  }
}
