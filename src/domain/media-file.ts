/**
 * What a file is, by the ending of its name alone: nothing is opened during a scan.
 * MIME types are IANA's where one is registered, else the one that Debian's `mime-support` and browsers use.
 */

import type { MediaKind } from './item-type.ts'

interface MediaType {
  kind: MediaKind
  /** Null where the ending tells nothing. */
  mimeType: string | null
  /** What a thumbnail can be made from: the picture itself, or a frame. Null where we have no decoder for it. */
  thumbnail: 'image' | 'video' | null
}

/**
 * Pictures that sharp, or libheif or ffmpeg before it, can decode. Layered files and the like are only indexed. What two lenses took at
 * once, and panoramas, are JPEG and PNG files.
 */
const DECODABLE_IMAGES = `jpg=image/jpeg jpeg=image/jpeg jpe=image/jpeg jfif=image/jpeg
  mpo=image/jpeg jps=image/jpeg insp=image/jpeg pns=image/png png=image/png apng=image/apng webp=image/webp
  gif=image/gif avif=image/avif tif=image/tiff tiff=image/tiff svg=image/svg+xml bmp=image/bmp dib=image/bmp heic=image/heic
  heif=image/heif heics=image/heic-sequence heifs=image/heif-sequence hif=image/heif jxl=image/jxl`

const OTHER_IMAGES = `jp2=image/jp2 j2k=image/jp2 jpf=image/jpx jpx=image/jpx jxr=image/jxr ico=image/vnd.microsoft.icon
  cur=image/vnd.microsoft.icon svgz=image/svg+xml psd=image/vnd.adobe.photoshop psb=image/vnd.adobe.photoshop xcf=image/x-xcf
  kra=application/x-krita exr=image/x-exr hdr=image/vnd.radiance tga=image/x-tga pcx=image/vnd.zbrush.pcx pbm=image/x-portable-bitmap
  pgm=image/x-portable-graymap ppm=image/x-portable-pixmap pnm=image/x-portable-anymap qoi=image/qoi dds=image/vnd.ms-dds
  wbmp=image/vnd.wap.wbmp xbm=image/x-xbitmap xpm=image/x-xpixmap tbn=image/jpeg`

/** Raw photographs: the picture that the camera put beside its data can be shown. */
const RAW_PHOTOGRAPHS = `dng=image/x-adobe-dng cr2=image/x-canon-cr2 cr3=image/x-canon-cr3 crw=image/x-canon-crw nef=image/x-nikon-nef nrw=image/x-nikon-nrw
  arw=image/x-sony-arw sr2=image/x-sony-sr2 srf=image/x-sony-srf raf=image/x-fuji-raf orf=image/x-olympus-orf rw2=image/x-panasonic-rw2
  rwl=image/x-leica-rwl pef=image/x-pentax-pef srw=image/x-samsung-srw x3f=image/x-sigma-x3f 3fr=image/x-hasselblad-3fr
  fff=image/x-hasselblad-fff iiq=image/x-phaseone-iiq kdc=image/x-kodak-kdc dcr=image/x-kodak-dcr erf=image/x-epson-erf
  mef=image/x-mamiya-mef mos=image/x-leaf-mos mrw=image/x-minolta-mrw raw=image/x-panasonic-raw gpr=image/x-gopro-gpr`

/** Google hands out the moving part of a photograph as `PXL_20230415_123456789.MP`, of an edited one as `.MP~2`. */
const VIDEOS = `mp=video/mp4 mp~2=video/mp4 mp4=video/mp4 m4v=video/x-m4v mkv=video/x-matroska mk3d=video/x-matroska-3d webm=video/webm mov=video/quicktime
  qt=video/quicktime avi=video/x-msvideo divx=video/x-msvideo xvid=video/x-msvideo wmv=video/x-ms-wmv asf=video/x-ms-asf
  wtv=video/x-ms-wtv dvr-ms=video/x-ms-dvr mpg=video/mpeg mpeg=video/mpeg mpe=video/mpeg mpv=video/mpeg m1v=video/mpeg m2v=video/mpeg
  vob=video/mpeg ts=video/mp2t m2ts=video/mp2t mts=video/mp2t m2t=video/mp2t tp=video/mp2t trp=video/mp2t tod=video/mpeg mod=video/mpeg
  ogv=video/ogg ogm=video/ogg ogx=video/ogg flv=video/x-flv f4v=video/mp4 3gp=video/3gpp 3gpp=video/3gpp 3g2=video/3gpp2
  rm=application/vnd.rn-realmedia rmvb=application/vnd.rn-realmedia-vbr mxf=application/mxf dv=video/x-dv dif=video/x-dv
  nsv=video/x-nsv nuv=video/x-nuv pva=video/x-pva ty=video/x-tivo fli=video/x-fli flc=video/x-flc mjpg=video/x-motion-jpeg
  mjpeg=video/x-motion-jpeg y4m=video/x-raw-yuv ivf=video/x-ivf amv=video/x-amv bik=video/vnd.radgamettools.bink insv=video/mp4
  lrv=video/mp4 360=video/mp4 h264=video/h264 h265=video/h265 hevc=video/h265 av1=video/av1 obu=video/av1`

const AUDIOS = `mp3=audio/mpeg mp2=audio/mpeg mpa=audio/mpeg m4a=audio/mp4 m4b=audio/mp4 m4r=audio/mp4 m4p=audio/mp4 aac=audio/aac
  flac=audio/flac ogg=audio/ogg oga=audio/ogg opus=audio/ogg spx=audio/ogg wav=audio/wav wave=audio/wav bwf=audio/wav rf64=audio/wav
  wma=audio/x-ms-wma aif=audio/aiff aiff=audio/aiff aifc=audio/aiff alac=audio/alac ape=audio/x-ape wv=audio/x-wavpack tta=audio/x-tta
  mpc=audio/x-musepack ac3=audio/ac3 eac3=audio/eac3 ec3=audio/eac3 dts=audio/vnd.dts dtshd=audio/vnd.dts.hd thd=audio/vnd.dolby.mlp
  mka=audio/x-matroska weba=audio/webm amr=audio/amr awb=audio/amr-wb au=audio/basic snd=audio/basic caf=audio/x-caf ra=audio/vnd.rn-realaudio
  dsf=audio/x-dsf dff=audio/x-dff mid=audio/midi midi=audio/midi kar=audio/midi xm=audio/x-xm it=audio/x-it s3m=audio/x-s3m
  gsm=audio/gsm voc=audio/x-voc shn=audio/x-shorten aax=audio/vnd.audible.aax aa=audio/audible`

const DOCUMENTS = `pdf=application/pdf epub=application/epub+zip mobi=application/x-mobipocket-ebook azw=application/vnd.amazon.ebook
  azw3=application/vnd.amazon.mobi8-ebook fb2=application/x-fictionbook+xml djvu=image/vnd.djvu djv=image/vnd.djvu xps=application/oxps
  oxps=application/oxps ps=application/postscript eps=application/postscript ai=application/postscript lit=application/x-ms-reader
  txt=text/plain text=text/plain log=text/plain nfo=text/plain md=text/markdown markdown=text/markdown rst=text/plain tex=application/x-tex
  rtf=application/rtf csv=text/csv tsv=text/tab-separated-values html=text/html htm=text/html xhtml=application/xhtml+xml mht=multipart/related
  mhtml=multipart/related xml=application/xml json=application/json yaml=application/yaml yml=application/yaml toml=application/toml
  ini=text/plain cfg=text/plain conf=text/plain css=text/css js=text/javascript mjs=text/javascript py=text/x-python c=text/x-c h=text/x-c
  cpp=text/x-c java=text/x-java rs=text/rust go=text/x-go sql=application/sql
  doc=application/msword dot=application/msword docx=application/vnd.openxmlformats-officedocument.wordprocessingml.document
  xls=application/vnd.ms-excel xlsx=application/vnd.openxmlformats-officedocument.spreadsheetml.sheet
  ppt=application/vnd.ms-powerpoint pps=application/vnd.ms-powerpoint
  pptx=application/vnd.openxmlformats-officedocument.presentationml.presentation odt=application/vnd.oasis.opendocument.text
  ods=application/vnd.oasis.opendocument.spreadsheet odp=application/vnd.oasis.opendocument.presentation
  odg=application/vnd.oasis.opendocument.graphics pages=application/vnd.apple.pages numbers=application/vnd.apple.numbers
  key=application/vnd.apple.keynote vsd=application/vnd.visio ics=text/calendar vcf=text/vcard eml=message/rfc822 msg=application/vnd.ms-outlook
  srt=application/x-subrip vtt=text/vtt ass=text/x-ssa ssa=text/x-ssa sub=text/plain smi=application/smil lrc=text/plain cue=text/plain
  m3u=audio/mpegurl m3u8=application/vnd.apple.mpegurl pls=audio/x-scpls gpx=application/gpx+xml kml=application/vnd.google-earth.kml+xml
  xmp=application/rdf+xml`

const ARCHIVES = `zip=application/zip rar=application/vnd.rar 7z=application/x-7z-compressed tar=application/x-tar gz=application/gzip
  tgz=application/gzip bz2=application/x-bzip2 tbz=application/x-bzip2 tbz2=application/x-bzip2 xz=application/x-xz txz=application/x-xz
  zst=application/zstd tzst=application/zstd lz=application/x-lzip lz4=application/x-lz4 lzma=application/x-lzma lzh=application/x-lzh-compressed
  lha=application/x-lzh-compressed arj=application/x-arj cab=application/vnd.ms-cab-compressed cpio=application/x-cpio ace=application/x-ace
  z=application/x-compress cbz=application/vnd.comicbook+zip cbr=application/vnd.comicbook-rar cb7=application/x-cb7 cbt=application/x-cbt
  iso=application/x-iso9660-image img=application/octet-stream dmg=application/x-apple-diskimage jar=application/java-archive
  war=application/java-archive apk=application/vnd.android.package-archive ipa=application/octet-stream deb=application/vnd.debian.binary-package
  rpm=application/x-rpm kmz=application/vnd.google-earth.kmz wim=application/x-ms-wim squashfs=application/vnd.squashfs`

const OTHERS = `exe=application/vnd.microsoft.portable-executable msi=application/x-msi dll=application/vnd.microsoft.portable-executable
  bin=application/octet-stream wasm=application/wasm sh=application/x-sh ttf=font/ttf otf=font/otf woff=font/woff woff2=font/woff2
  stl=model/stl obj=model/obj gltf=model/gltf+json glb=model/gltf-binary 3mf=model/3mf ply=model/ply blend=application/x-blender
  sqlite=application/vnd.sqlite3 db=application/octet-stream torrent=application/x-bittorrent`

const UNKNOWN: MediaType = { kind: 'other', mimeType: null, thumbnail: null }

const tableOf = (text: string, kind: MediaKind, thumbnail: MediaType['thumbnail'] = null): [string, MediaType][] =>
  text.split(/\s+/).map((entry) => {
    const [extension = '', mimeType = null] = entry.split('=')
    return [extension, { kind, mimeType, thumbnail }]
  })

const DECODABLE = tableOf(DECODABLE_IMAGES, 'image', 'image')
const RAW = tableOf(RAW_PHOTOGRAPHS, 'image', 'image')

const BY_EXTENSION: ReadonlyMap<string, MediaType> = new Map([
  ...DECODABLE,
  ...RAW,
  ...tableOf(OTHER_IMAGES, 'image'),
  ...tableOf(VIDEOS, 'video', 'video'),
  ...tableOf(AUDIOS, 'audio'),
  ...tableOf(DOCUMENTS, 'document'),
  ...tableOf(ARCHIVES, 'archive'),
  ...tableOf(OTHERS, 'other'),
])

/** What stands after the last dot, in lower case; empty where there is none or the name only starts with one. */
export const extensionOf = (fileName: string): string => {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? '' : fileName.slice(dot + 1).toLowerCase()
}

/** The name without its last ending. */
export const stemOf = (fileName: string): string => {
  const dot = fileName.lastIndexOf('.')
  return dot <= 0 ? fileName : fileName.slice(0, dot)
}

export const mediaTypeOf = (fileName: string): MediaType => BY_EXTENSION.get(extensionOf(fileName)) ?? UNKNOWN

/** `mediaTypeOf` for many names in a row: the ending is looked up where it is another one than that of the name before. */
export const mediaTypesInTurn = (): ((fileName: string) => MediaType) => {
  let ending = ''
  let type = UNKNOWN
  return (fileName) => {
    if (ending !== '' && fileName.length > ending.length && fileName.endsWith(ending)) return type
    const dot = fileName.lastIndexOf('.')
    ending = dot <= 0 ? '' : fileName.slice(dot)
    type = mediaTypeOf(fileName)
    return type
  }
}

export const isVideoName = (fileName: string): boolean => mediaTypeOf(fileName).kind === 'video'

const PICTURE_EXTENSIONS: ReadonlySet<string> = new Set(DECODABLE.map(([extension]) => extension))
const RAW_EXTENSIONS: ReadonlySet<string> = new Set(RAW.map(([extension]) => extension))

/** Pictures that can stand for an item or be a page: every one that a browser or our decoders can show. */
export const isPictureName = (fileName: string): boolean => PICTURE_EXTENSIONS.has(extensionOf(fileName))

export const isRawPhotographName = (fileName: string): boolean => RAW_EXTENSIONS.has(extensionOf(fileName))

/** Images of discs: they hold a film, though no browser plays them (Jellyfin's shows and movies pages list them too). */
export const isDiscImageName = (fileName: string): boolean => /\.(?:iso|img|nrg)$/i.test(fileName)
