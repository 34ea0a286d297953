// Syntax highlighting of the expression language: text, numbers, names.
import type { Monaco } from './monaco.ts'

let isRegistered = false

/** Registers the language `cel` with Monaco, once. */
export function registerLanguage(monaco: typeof Monaco): void {
  if (isRegistered) return
  isRegistered = true
  monaco.languages.register({ id: 'cel' })
  monaco.languages.setLanguageConfiguration('cel', {
    brackets: [
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
    ],
    autoClosingPairs: ['()', '[]', '{}', '""', "''"].map((pair) => ({
      open: pair.charAt(0),
      close: pair.charAt(1),
    })),
  })
  monaco.languages.setMonarchTokensProvider('cel', {
    tokenizer: {
      root: [
        [/\/\/.*$/, 'comment'],
        [/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/, 'string'],
        [/\b(?:true|false|null|in|config|flag)\b/, 'keyword'],
        [/\d+(?:\.\d+)?/, 'number'],
        [/[a-zA-Z_]\w*/, 'identifier'],
      ],
    },
  })
}
