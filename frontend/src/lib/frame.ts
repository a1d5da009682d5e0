// The binary message of the live page: a header of 32 bytes, then the image.
import { FrameHeaderSize, type FrameHeader } from './wire'

export interface Frame extends FrameHeader {
  image: Blob
}

const mimes: Record<number, string> = { 1: 'image/jpeg', 2: 'image/png', 3: 'image/webp' }

// decodeFrame reads one message. It gives null for a version or format that
// this page does not know, so that a newer host cannot break the view.
export function decodeFrame(message: ArrayBuffer): Frame | null {
  if (message.byteLength <= FrameHeaderSize) return null
  const bytes = new DataView(message, 0, FrameHeaderSize)
  const type = mimes[bytes.getUint8(1)]
  if (bytes.getUint8(0) !== 1 || !type) return null
  return {
    format: bytes.getUint8(1),
    kind: bytes.getUint8(2),
    zoom: bytes.getUint8(3),
    view: bytes.getUint32(4, true),
    seq: bytes.getUint32(8, true),
    tab: bytes.getUint32(12, true),
    width: bytes.getFloat32(16, true),
    height: bytes.getFloat32(20, true),
    pixelW: bytes.getUint32(24, true),
    pixelH: bytes.getUint32(28, true),
    image: new Blob([new Uint8Array(message, FrameHeaderSize)], { type }),
  }
}

// tabNumber is the N of a tab's id "tN", as frames carry it.
export function tabNumber(id: string): number {
  return /^t\d+$/.test(id) ? Number(id.slice(1)) : -1
}
