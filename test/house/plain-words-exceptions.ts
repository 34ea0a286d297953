// Lines that match the word list and stay, each with its reason.
export interface WordException {
  file: string
  /** A part of the line. */
  text: string
  reason: string
}

export const wordExceptions: readonly WordException[] = [
  {
    file: 'renderer/pages/component/sheet/bulk-dialog.vue',
    text: 'bulk-told',
    reason: 'an id and a CSS class',
  },
  {
    file: 'renderer/pages/component/sheet/cell-block.test.ts',
    text: 'say "',
    reason: 'data of a test: quotes in a cell',
  },
  {
    file: 'elements/build/inner-names.ts',
    text: 'say',
    reason: 'a name of a property, renamed with the property',
  },
  { file: 'server/import/delimiter.test.ts', text: 'Stand November 2026', reason: 'German data of a test' },
  { file: 'server/import/import-forms.test.ts', text: 'Stand: 01.11.2026', reason: 'German data of a test' },
  { file: 'test/e2e/import.spec.ts', text: 'Stand 1. November 2026', reason: 'German data of a test' },
  { file: 'test/storage/store.test.ts', text: 'austr stand', reason: 'data of a test: words of a search' },
  { file: 'test/house/dependency-rules.test.ts', text: '-below-', reason: 'names of rules' },
  {
    file: 'test/run/ensure-chromium.mjs',
    text: '(line: string) => void} say',
    reason: 'the name of a property',
  },
]
