// Monaco, loaded when a page first needs an editor, bundled with its workers.
import { watch } from 'vue'
import type * as Monaco from 'monaco-editor/editor'
import type * as Json from 'monaco-editor/languages/features/json/register'
import type { JsonSchema } from '#kernel/components/schema-lookup.ts'
import { useTheme } from '../stores/theme.ts'
import { applyEditorTheme, themeName } from './editor-theme.ts'

export type { Monaco }
export type JsonLanguage = typeof Json
export type Editor = Monaco.editor.IStandaloneCodeEditor
export type Model = Monaco.editor.ITextModel

let loading: Promise<LoadedMonaco> | null = null

export interface LoadedMonaco {
  monaco: typeof Monaco
  json: JsonLanguage
  /** The schema of a placed section, which belongs to no room. */
  placementSchema: JsonSchema
}

/** Loads the editor and its JSON language; returns the same promise every time. */
export function loadMonaco(): Promise<LoadedMonaco> {
  loading ??= Promise.all([
    import('./monaco-bundle.ts'),
    import('#kernel/components/placement-schema.ts'),
  ]).then(([{ monaco, json }, { placementSchema }]) => {
    const theme = useTheme()
    watch(
      () => theme.theme,
      (name) => applyEditorTheme(monaco, name),
      { immediate: true },
    )
    return { monaco, json, placementSchema: placementSchema() }
  })
  return loading
}

/** A font size with its line height. */
export const fontOptions = (fontSize: number) => ({ fontSize, lineHeight: Math.round(fontSize * 1.5) })

/** The options that all editors of the studio share. */
export const commonOptions = {
  theme: themeName,
  automaticLayout: true,
  minimap: { enabled: false },
  fontFamily: "'JetBrains Mono', ui-monospace, monospace",
  fontLigatures: false,
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
  // Words that neither a schema nor the metadata contains are not suggested.
  wordBasedSuggestions: 'off',
} as const satisfies Monaco.editor.IStandaloneEditorConstructionOptions
