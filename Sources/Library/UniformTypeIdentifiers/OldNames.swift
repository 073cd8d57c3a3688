// SPDX-License-Identifier: Apache-2.0

// The names before `UTType`, which are strings here.

/// `public.item`
public let kUTTypeItem = "public.item"
/// `public.content`
public let kUTTypeContent = "public.content"
/// `public.composite-content`
public let kUTTypeCompositeContent = "public.composite-content"
/// `public.message`
public let kUTTypeMessage = "public.message"
/// `public.contact`
public let kUTTypeContact = "public.contact"
/// `public.archive`
public let kUTTypeArchive = "public.archive"
/// `public.disk-image`
public let kUTTypeDiskImage = "public.disk-image"
/// `public.data`
public let kUTTypeData = "public.data"
/// `public.directory`
public let kUTTypeDirectory = "public.directory"
/// `public.url`
public let kUTTypeURL = "public.url"
/// `public.file-url`
public let kUTTypeFileURL = "public.file-url"
/// `public.text`
public let kUTTypeText = "public.text"
/// `public.plain-text`
public let kUTTypePlainText = "public.plain-text"
/// `public.utf8-plain-text`
public let kUTTypeUTF8PlainText = "public.utf8-plain-text"
/// `public.delimited-values-text`
public let kUTTypeDelimitedText = "public.delimited-values-text"
/// `public.comma-separated-values-text`
public let kUTTypeCommaSeparatedText = "public.comma-separated-values-text"
/// `public.tab-separated-values-text`
public let kUTTypeTabSeparatedText = "public.tab-separated-values-text"
/// `public.rtf`
public let kUTTypeRTF = "public.rtf"
/// `public.html`
public let kUTTypeHTML = "public.html"
/// `public.xml`
public let kUTTypeXML = "public.xml"
/// `public.source-code`
public let kUTTypeSourceCode = "public.source-code"
/// `public.swift-source`
public let kUTTypeSwiftSource = "public.swift-source"
/// `public.script`
public let kUTTypeScript = "public.script"
/// `public.json`
public let kUTTypeJSON = "public.json"
/// `com.apple.property-list`
public let kUTTypePropertyList = "com.apple.property-list"
/// `com.adobe.pdf`
public let kUTTypePDF = "com.adobe.pdf"
/// `com.apple.rtfd`
public let kUTTypeRTFD = "com.apple.rtfd"
/// `com.apple.webarchive`
public let kUTTypeWebArchive = "com.apple.webarchive"
/// `public.image`
public let kUTTypeImage = "public.image"
/// `public.jpeg`
public let kUTTypeJPEG = "public.jpeg"
/// `public.tiff`
public let kUTTypeTIFF = "public.tiff"
/// `com.compuserve.gif`
public let kUTTypeGIF = "com.compuserve.gif"
/// `public.png`
public let kUTTypePNG = "public.png"
/// `com.microsoft.bmp`
public let kUTTypeBMP = "com.microsoft.bmp"
/// `public.camera-raw-image`
public let kUTTypeRawImage = "public.camera-raw-image"
/// `public.svg-image`
public let kUTTypeScalableVectorGraphics = "public.svg-image"
/// `com.apple.live-photo`
public let kUTTypeLivePhoto = "com.apple.live-photo"
/// `public.audiovisual-content`
public let kUTTypeAudiovisualContent = "public.audiovisual-content"
/// `public.movie`
public let kUTTypeMovie = "public.movie"
/// `public.video`
public let kUTTypeVideo = "public.video"
/// `public.audio`
public let kUTTypeAudio = "public.audio"
/// `com.apple.quicktime-movie`
public let kUTTypeQuickTimeMovie = "com.apple.quicktime-movie"
/// `public.mpeg`
public let kUTTypeMPEG = "public.mpeg"
/// `public.mp3`
public let kUTTypeMP3 = "public.mp3"
/// `public.mpeg-4`
public let kUTTypeMPEG4 = "public.mpeg-4"
/// `public.mpeg-4-audio`
public let kUTTypeMPEG4Audio = "public.mpeg-4-audio"
/// `public.avi`
public let kUTTypeAVIMovie = "public.avi"
/// `com.microsoft.waveform-audio`
public let kUTTypeWaveformAudio = "com.microsoft.waveform-audio"
/// `public.midi-audio`
public let kUTTypeMIDIAudio = "public.midi-audio"
/// `public.playlist`
public let kUTTypePlaylist = "public.playlist"
/// `public.folder`
public let kUTTypeFolder = "public.folder"
/// `com.apple.package`
public let kUTTypePackage = "com.apple.package"
/// `com.apple.application`
public let kUTTypeApplication = "com.apple.application"
/// `public.zip-archive`
public let kUTTypeZipArchive = "public.zip-archive"
/// `public.spreadsheet`
public let kUTTypeSpreadsheet = "public.spreadsheet"
/// `public.presentation`
public let kUTTypePresentation = "public.presentation"
/// `public.database`
public let kUTTypeDatabase = "public.database"
/// `public.vcard`
public let kUTTypeVCard = "public.vcard"
/// `public.to-do-item`
public let kUTTypeToDoItem = "public.to-do-item"
/// `public.calendar-event`
public let kUTTypeCalendarEvent = "public.calendar-event"
/// `public.email-message`
public let kUTTypeEmailMessage = "public.email-message"
/// `public.font`
public let kUTTypeFont = "public.font"
/// `public.bookmark`
public let kUTTypeBookmark = "public.bookmark"
/// `org.idpf.epub-container`
public let kUTTypeElectronicPublication = "org.idpf.epub-container"
