// The editor's colours are the page's tokens, so the editor matches the page in every theme and contrast.
import type { Theme } from '../stores/theme.ts'
import type * as Monaco from 'monaco-editor/editor'

export const themeName = 'almanac'
const bases = { light: 'vs', dark: 'vs-dark', contrast: 'hc-black' } as const satisfies Record<Theme, string>

/** Reads the current tokens and repaints every editor. */
export function applyEditorTheme(monaco: typeof Monaco, theme: Theme): void {
  const page = getComputedStyle(document.documentElement)
  const token = (name: string): string => page.getPropertyValue(`--svc-${name}`).trim()
  const ink = (name: string): string => token(name).slice(1)
  const surface = token('color-surface')
  const chrome = token('color-surface-2')
  const line = token('color-surface-3')
  const border = token('color-border-strong')
  const text = token('color-text')
  const muted = token('color-text-muted')
  const accent = token('color-accent')
  const wash = token('accent-wash')
  const clear = '#00000000'
  monaco.editor.defineTheme(themeName, {
    base: bases[theme],
    inherit: true,
    rules: [
      { token: 'string.key.json', foreground: ink('color-text') },
      { token: 'string.value.json', foreground: ink('color-accent') },
      { token: 'number', foreground: ink('color-warn') },
      { token: 'keyword.json', foreground: ink('color-warn') },
      { token: 'string.cel', foreground: ink('color-accent') },
      { token: 'keyword.cel', foreground: ink('color-warn') },
      { token: 'delimiter', foreground: ink('color-text-muted') },
    ],
    colors: {
      foreground: text,
      descriptionForeground: muted,
      'icon.foreground': muted,
      'textLink.foreground': accent,
      focusBorder: clear,
      'widget.shadow': clear,
      'editor.background': surface,
      'editor.foreground': text,
      'editor.lineHighlightBackground': chrome,
      'editor.lineHighlightBorder': clear,
      'editor.placeholder.foreground': muted,
      'editorLineNumber.foreground': muted,
      'editorLineNumber.activeForeground': text,
      'editorCursor.foreground': accent,
      'editorBracketHighlight.foreground1': text,
      'editorBracketHighlight.foreground2': text,
      'editorBracketHighlight.foreground3': text,
      'editorBracketMatch.background': wash,
      'editorBracketMatch.border': accent,
      'editorError.foreground': token('color-danger'),
      'editorWarning.foreground': token('color-warn'),
      'editorInfo.foreground': accent,
      'editorWidget.background': surface,
      'editorWidget.foreground': text,
      'editorWidget.border': border,
      'editorHoverWidget.background': surface,
      'editorHoverWidget.border': border,
      'editorHoverWidget.statusBarBackground': chrome,
      'editorSuggestWidget.background': surface,
      'editorSuggestWidget.border': border,
      'editorSuggestWidget.foreground': text,
      'editorSuggestWidget.highlightForeground': accent,
      'editorSuggestWidget.focusHighlightForeground': accent,
      'editorSuggestWidget.selectedBackground': line,
      'editorSuggestWidget.selectedForeground': text,
      'editorSuggestWidget.selectedIconForeground': text,
      'list.hoverBackground': chrome,
      'list.focusBackground': line,
      'list.focusForeground': text,
      'input.background': surface,
      'input.border': border,
      'menu.background': surface,
      'menu.foreground': text,
      'menu.border': border,
      'menu.selectionBackground': line,
      'menu.selectionForeground': text,
      'diffEditor.insertedLineBackground': wash,
      'diffEditor.removedLineBackground': token('danger-wash'),
      'diffEditor.insertedTextBackground': clear,
      'diffEditor.removedTextBackground': clear,
      'diffEditor.border': border,
      'diffEditor.unchangedRegionBackground': chrome,
      'diffEditor.unchangedRegionForeground': muted,
      'diffEditor.unchangedRegionShadow': clear,
    },
  })
  monaco.editor.setTheme(themeName)
}
