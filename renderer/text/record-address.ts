// The segment of a record in the address of its page. `new` is the form for a new record, so the ID of a row of a source
// that is `new`, or looks like its escaped form, begins with one more `~`.

const newSegment = 'new'
const isEscaped = (text: string): boolean => /^~*new$/.test(text)

/** The path of a record. */
export const recordPath = (object: string, id: string): string =>
  `/records/${encodeURIComponent(object)}/${encodeURIComponent(isEscaped(id) ? `~${id}` : id)}`

/** The path of the form for a new record of an object. */
export const newRecordPath = (object: string): string =>
  `/records/${encodeURIComponent(object)}/${newSegment}`

/** The ID that a decoded segment names; null for a new record. */
export function idOfSegment(segment: string): string | null {
  if (segment === newSegment) return null
  return isEscaped(segment) ? segment.slice(1) : segment
}
