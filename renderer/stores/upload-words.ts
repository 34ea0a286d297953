// What an upload does, in words.
import { bytesWords } from '../text/words.ts'
import { partBytes, type Upload } from './uploads.ts'

/** `18.4 MB of 32.0 MB`. */
export const sentWords = ({ sent, bytes }: Upload): string =>
  `${bytesWords(Math.min(bytes, sent * partBytes))} of ${bytesWords(bytes)}`

/** The part that is sent, or sent next: `part 3 of 4`. */
export const partWords = ({ sent, parts }: Upload): string => `part ${Math.min(sent + 1, parts)} of ${parts}`

/** Of the file, in percent. */
export const sentShare = ({ sent, parts }: Upload): number => Math.floor((sent / parts) * 100)

/** `6.1 MB/s`; empty until a part was sent. */
export const speedWords = ({ bytesPerSecond }: Upload): string =>
  bytesPerSecond === null ? '' : `${bytesWords(Math.round(bytesPerSecond))}/s`

export function uploadWords(upload: Upload): string {
  const { state, failure } = upload
  const [part, size] = [partWords(upload), sentWords(upload)]
  const sentences: Record<Upload['state'], string> = {
    sending: `Uploading ${part}, ${size}`,
    paused: `Paused at ${part}, ${size}`,
    waiting:
      failure === ''
        ? `No connection. The upload goes on at ${part} once the server responds.`
        : `${failure} The upload is tried again at ${part}.`,
    closing: 'Checking the columns',
    failed: failure,
  }
  return sentences[state]
}
