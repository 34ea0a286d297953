// What is stored in place of a row that was erased: as many bytes in as many lines, which are valid in no text.
import { Buffer } from 'node:buffer'
import { isLineEnd } from './line-ends.ts'

const erasedByte = 0xff
const quote = 0x22

/** @param row with the end of its line */
export function erasedText(row: Uint8Array): Uint8Array {
  const text = Buffer.from(row)
  let [begin, end] = [0, text.length]
  while (end > 0 && isLineEnd(text[end - 1])) end -= 1
  // Empty lines before it.
  while (begin < end && isLineEnd(text[begin])) begin += 1
  const hasBreak = text.subarray(begin, end).some(isLineEnd)
  for (let at = begin; at < end; at += 1) if (!isLineEnd(text[at])) text[at] = erasedByte
  // Lines of one row are within quotes. A row of several lines has at least two.
  if (hasBreak) text[begin] = text[end - 1] = quote
  return text
}

export const erasedRow = 'The row referred to a record that was erased.'

/** Whether a text is that of an erased row. A row in another encoding can begin with the same byte. */
export const isErasedText = (text: Uint8Array): boolean =>
  text.includes(erasedByte) && text.every((byte) => byte === erasedByte || byte === quote || isLineEnd(byte))

/** Whether bytes contain one of the texts, as CSV or JSON can write them. */
export const containsText = (bytes: Buffer, texts: readonly string[]): boolean =>
  texts.flatMap(formsOf).some((form) => bytes.includes(form))

/** How a text can be written within a cell, or within a text of JSON. */
export function formsOf(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const escape = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
  const ascii = json.replaceAll(/[^\x20-\x7e]/g, escape)
  const number = /^-?\d+\.\d*?(0+)$/.exec(text)
  // A number can be written with fewer digits than are stored.
  const short = number === null ? [] : [text.slice(0, -number[1]!.length).replace(/\.$/, '')]
  return [...new Set([text, text.replaceAll('"', '""'), json, ascii, ...short])]
}
