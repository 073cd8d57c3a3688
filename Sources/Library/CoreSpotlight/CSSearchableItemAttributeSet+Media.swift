// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Audio, images and videos.
extension CSSearchableItemAttributeSet {
  /// Information about the content.
  public var information: String? {
    get { self[attribute: "information"] }
    set { self[attribute: "information"] = newValue }
  }

  /// In seconds.
  public var duration: NSNumber? {
    get { self[attribute: "duration"] }
    set { self[attribute: "duration"] = newValue }
  }

  /// The kinds of media, such as audio.
  public var mediaTypes: [String]? {
    get { self[attribute: "mediaTypes"] }
    set { self[attribute: "mediaTypes"] = newValue }
  }

  /// The codecs of the content.
  public var codecs: [String]? {
    get { self[attribute: "codecs"] }
    set { self[attribute: "codecs"] = newValue }
  }

  /// Whether the content can be streamed.
  public var streamable: NSNumber? {
    get { self[attribute: "streamable"] }
    set { self[attribute: "streamable"] = newValue }
  }

  /// How the content is delivered: 0 if it is streamed, 1 if it is downloaded.
  public var deliveryType: NSNumber? {
    get { self[attribute: "deliveryType"] }
    set { self[attribute: "deliveryType"] = newValue }
  }

  /// In bits per second.
  public var totalBitRate: NSNumber? {
    get { self[attribute: "totalBitRate"] }
    set { self[attribute: "totalBitRate"] = newValue }
  }

  /// In bits per second.
  public var videoBitRate: NSNumber? {
    get { self[attribute: "videoBitRate"] }
    set { self[attribute: "videoBitRate"] = newValue }
  }

  /// In bits per second.
  public var audioBitRate: NSNumber? {
    get { self[attribute: "audioBitRate"] }
    set { self[attribute: "audioBitRate"] = newValue }
  }

  /// In hertz.
  public var audioSampleRate: NSNumber? {
    get { self[attribute: "audioSampleRate"] }
    set { self[attribute: "audioSampleRate"] = newValue }
  }

  /// The number of channels.
  public var audioChannelCount: NSNumber? {
    get { self[attribute: "audioChannelCount"] }
    set { self[attribute: "audioChannelCount"] = newValue }
  }

  /// The number of the track.
  public var audioTrackNumber: NSNumber? {
    get { self[attribute: "audioTrackNumber"] }
    set { self[attribute: "audioTrackNumber"] = newValue }
  }

  /// Who performs it.
  public var artist: String? {
    get { self[attribute: "artist"] }
    set { self[attribute: "artist"] = newValue }
  }

  /// Those who perform it.
  public var performers: [String]? {
    get { self[attribute: "performers"] }
    set { self[attribute: "performers"] = newValue }
  }

  /// The album.
  public var album: String? {
    get { self[attribute: "album"] }
    set { self[attribute: "album"] = newValue }
  }

  /// Who composed it.
  public var composer: String? {
    get { self[attribute: "composer"] }
    set { self[attribute: "composer"] = newValue }
  }

  /// Who wrote the words.
  public var lyricist: String? {
    get { self[attribute: "lyricist"] }
    set { self[attribute: "lyricist"] = newValue }
  }

  /// The genre of the music.
  public var musicalGenre: String? {
    get { self[attribute: "musicalGenre"] }
    set { self[attribute: "musicalGenre"] = newValue }
  }

  /// The genre.
  public var genre: String? {
    get { self[attribute: "genre"] }
    set { self[attribute: "genre"] = newValue }
  }

  /// In beats per minute.
  public var tempo: NSNumber? {
    get { self[attribute: "tempo"] }
    set { self[attribute: "tempo"] = newValue }
  }

  /// The key of the music.
  public var keySignature: String? {
    get { self[attribute: "keySignature"] }
    set { self[attribute: "keySignature"] = newValue }
  }

  /// The time signature of the music, such as 4/4.
  public var timeSignature: String? {
    get { self[attribute: "timeSignature"] }
    set { self[attribute: "timeSignature"] = newValue }
  }

  /// When it was recorded.
  public var recordingDate: Date? {
    get { self[attribute: "recordingDate"] }
    set { self[attribute: "recordingDate"] = newValue }
  }

  /// How often it was played.
  public var playCount: NSNumber? {
    get { self[attribute: "playCount"] }
    set { self[attribute: "playCount"] = newValue }
  }

  /// Who directed it.
  public var director: String? {
    get { self[attribute: "director"] }
    set { self[attribute: "director"] = newValue }
  }

  /// Who produced it.
  public var producer: String? {
    get { self[attribute: "producer"] }
    set { self[attribute: "producer"] = newValue }
  }

  /// The format of the original.
  public var originalFormat: String? {
    get { self[attribute: "originalFormat"] }
    set { self[attribute: "originalFormat"] = newValue }
  }

  /// Where the original comes from.
  public var originalSource: String? {
    get { self[attribute: "originalSource"] }
    set { self[attribute: "originalSource"] = newValue }
  }

  /// Whether the content is stored on this machine.
  public var local: NSNumber? {
    get { self[attribute: "local"] }
    set { self[attribute: "local"] = newValue }
  }

  /// Whether the content is explicit.
  public var contentRating: NSNumber? {
    get { self[attribute: "contentRating"] }
    set { self[attribute: "contentRating"] = newValue }
  }

  /// In pixels.
  public var pixelHeight: NSNumber? {
    get { self[attribute: "pixelHeight"] }
    set { self[attribute: "pixelHeight"] = newValue }
  }

  /// In pixels.
  public var pixelWidth: NSNumber? {
    get { self[attribute: "pixelWidth"] }
    set { self[attribute: "pixelWidth"] = newValue }
  }

  /// The number of pixels.
  public var pixelCount: NSNumber? {
    get { self[attribute: "pixelCount"] }
    set { self[attribute: "pixelCount"] = newValue }
  }

  /// The color model, such as RGB.
  public var colorSpace: String? {
    get { self[attribute: "colorSpace"] }
    set { self[attribute: "colorSpace"] = newValue }
  }

  /// The number of bits per sample.
  public var bitsPerSample: NSNumber? {
    get { self[attribute: "bitsPerSample"] }
    set { self[attribute: "bitsPerSample"] = newValue }
  }

  /// 0 for landscape, 1 for portrait.
  public var orientation: NSNumber? {
    get { self[attribute: "orientation"] }
    set { self[attribute: "orientation"] = newValue }
  }

  /// The layers of the picture.
  public var layerNames: [String]? {
    get { self[attribute: "layerNames"] }
    set { self[attribute: "layerNames"] = newValue }
  }

  /// The ISO speed.
  public var isoSpeed: NSNumber? {
    get { self[attribute: "isoSpeed"] }
    set { self[attribute: "isoSpeed"] = newValue }
  }

  /// The aperture.
  public var fNumber: NSNumber? {
    get { self[attribute: "fNumber"] }
    set { self[attribute: "fNumber"] = newValue }
  }

  /// In seconds.
  public var exposureTime: NSNumber? {
    get { self[attribute: "exposureTime"] }
    set { self[attribute: "exposureTime"] = newValue }
  }

  /// In millimetres.
  public var focalLength: NSNumber? {
    get { self[attribute: "focalLength"] }
    set { self[attribute: "focalLength"] = newValue }
  }

  /// Who made the camera.
  public var acquisitionMake: String? {
    get { self[attribute: "acquisitionMake"] }
    set { self[attribute: "acquisitionMake"] = newValue }
  }

  /// The model of the camera.
  public var acquisitionModel: String? {
    get { self[attribute: "acquisitionModel"] }
    set { self[attribute: "acquisitionModel"] = newValue }
  }
}
