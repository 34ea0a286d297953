// A place in a text, by line and column.

export interface TextPosition {
  /** Lines and columns count from 1. */
  line: number
  column: number
}

/** Returns line and column of the character at `offset`, which counts from 0. */
export function positionAt(text: string, offset: number): TextPosition {
  const before = text.slice(0, offset).split('\n')
  return { line: before.length, column: before.at(-1)!.length + 1 }
}
