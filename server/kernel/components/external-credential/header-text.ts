// The characters that the value of a header can have (RFC 9110): Latin-1 without control characters.

const sendable = /^[\t\x20-\x7e\x80-\xff]*$/

/** Returns what is wrong with a text that cannot be sent in a header, without the text itself; otherwise null. */
export function explainHeaderText(text: string): string | null {
  if (sendable.test(text)) return null
  if (/[\r\n]/.test(text)) return 'contains a line break'
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 0xff) return 'contains a character that headers cannot have: only Latin-1 can be sent'
    if ((unit < 0x20 && unit !== 0x09) || unit === 0x7f) return 'contains a control character'
  }
  return null
}
