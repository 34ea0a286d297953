// Monaco, loaded when a page first needs an editor, with its workers bundled beside it (architecture: "Chosen parts").
import type * as Monaco from 'monaco-editor/editor'

export type { Monaco }
export type Editor = Monaco.editor.IStandaloneCodeEditor
export type Model = Monaco.editor.ITextModel

let loading: Promise<Loaded> | null = null

export interface Loaded {
  monaco: typeof Monaco
  json: JsonLanguage
}

interface JsonLanguage {
  jsonDefaults: { setDiagnosticsOptions(options: Record<string, unknown>): void }
}

/** The editor and its JSON language; the same promise every time. */
export function loadMonaco(): Promise<Loaded> {
  loading ??= import('./monaco-parts.ts').then(({ monaco, json }) => {
    defineThemes(monaco)
    return { monaco, json }
  })
  return loading
}

/** Themes from the tokens, so that the editor is the same sheet as the page. */
function defineThemes(monaco: typeof Monaco): void {
  const dark = {
    text: '#e6e3d9',
    muted: '#a5a296',
    accent: '#7fc3a3',
    number: '#dfb566',
    sheet: '#1c1d1a',
    line: '#292b26',
  }
  const light = {
    text: '#1c1a16',
    muted: '#615c51',
    accent: '#1b5e47',
    number: '#7c5200',
    sheet: '#fdfcf9',
    line: '#f6f4ee',
  }
  for (const [name, base, ink] of [
    ['almanac-light', 'vs', light],
    ['almanac-dark', 'vs-dark', dark],
  ] as const)
    monaco.editor.defineTheme(name, {
      base,
      inherit: true,
      rules: [
        { token: 'string.key.json', foreground: ink.text.slice(1) },
        { token: 'string.value.json', foreground: ink.accent.slice(1) },
        { token: 'number', foreground: ink.number.slice(1) },
        { token: 'keyword.json', foreground: ink.number.slice(1) },
        { token: 'string.cel', foreground: ink.accent.slice(1) },
        { token: 'keyword.cel', foreground: ink.number.slice(1) },
        { token: 'delimiter', foreground: ink.muted.slice(1) },
      ],
      colors: {
        'editor.background': ink.sheet,
        'editor.foreground': ink.text,
        'editor.lineHighlightBackground': ink.line,
        'editor.lineHighlightBorder': '#00000000',
        'editorLineNumber.foreground': ink.muted,
        'editorLineNumber.activeForeground': ink.text,
        'editorCursor.foreground': ink.accent,
        focusBorder: '#00000000',
      },
    })
}

/** What every editor of the studio has in common. */
export const commonOptions = {
  automaticLayout: true,
  minimap: { enabled: false },
  fontFamily: "'JetBrains Mono', ui-monospace, monospace",
  fontLigatures: false,
  fontSize: 12,
  lineHeight: 18,
  tabSize: 2,
  scrollBeyondLastLine: false,
  renderLineHighlight: 'line',
  overviewRulerLanes: 0,
  renderFinalNewline: 'on',
  hideCursorInOverviewRuler: true,
  stickyScroll: { enabled: false },
  fixedOverflowWidgets: true,
  wordWrap: 'on',
  unicodeHighlight: { ambiguousCharacters: false },
} as const satisfies Monaco.editor.IStandaloneEditorConstructionOptions
