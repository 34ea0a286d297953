// How deeply a JSON text from elsewhere is nested: reading, checking and writing a value use the stack for each level.

/** More than any value needs. */
const mostLevels = 400

const [quote, backslash, openList, openObject, closeList, closeObject] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d]

/** Reports whether the text is nested too deeply to be read. It need not be valid. */
export function isTooDeep(text: string): boolean {
  let levels = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    else if (code === openList || code === openObject) {
      if ((levels += 1) > mostLevels) return true
    } else if (code === closeList || code === closeObject) levels -= 1
  }
  return false
}

function endOfText(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length && text.charCodeAt(at) !== quote; at++)
    if (text.charCodeAt(at) === backslash) at += 1
  return at
}
