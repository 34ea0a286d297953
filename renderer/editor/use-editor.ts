// An editor of one text on a page: created when Monaco and its language are loaded, disposed with the page, with its
// text and markers synchronised in between. Monaco's objects stay out of Vue's reactivity, which would wrap all their
// parts.
import { onBeforeUnmount, onMounted, ref, watch, type Ref } from 'vue'
import { deltaOf } from '../text/text-delta.ts'
import { usePreferences } from '../stores/preferences.ts'
import {
  commonOptions,
  loadMonaco,
  fontOptions,
  type Editor,
  type LoadedMonaco,
  type Model,
  type Monaco,
} from './monaco.ts'

export interface OpenEditor extends LoadedMonaco {
  model: Model
  editor: Editor
}

/** A message about a range of the text, and how the range is found: half-open offsets. */
export interface Mark {
  severity: 'error' | 'warning' | 'info'
  message: string
  code?: string
  at: (text: string) => { start: number; end: number }
}

export interface EditorSetup {
  host: Ref<HTMLElement | undefined>
  text: () => string
  onInput: (text: string) => void
  /** Created with `first` if it does not exist yet. */
  model: (loaded: LoadedMonaco, first: string) => Model
  /** Whether the model outlives this editor; otherwise it is disposed with it. */
  lasting?: boolean
  /** Whether the text can only be read and copied. */
  readOnly?: () => boolean
  /** Texts from the time without an editor, oldest first; each becomes an undo step. */
  pastTexts?: () => readonly string[]
  /** Resolves once the language of the model is ready; the editor is shown then. */
  languageReady?: (loaded: LoadedMonaco, model: Model) => Promise<void>
  options: Monaco.editor.IStandaloneEditorConstructionOptions
  marks: () => readonly Mark[]
  /** Anything else that is disposed with this editor. */
  onOpen?: (opened: OpenEditor) => Monaco.IDisposable[]
}

/** Milliseconds within which the next character typed in a form belongs to the same undo step as the last. */
const goingOn = 1000

/** The editor's state, the editor while there is one, and a promise of it. */
export function useEditor(setup: EditorSetup) {
  const preferences = usePreferences()
  const state = ref<'loading' | 'ready' | 'failed'>('loading')
  const ends: Monaco.IDisposable[] = []
  let opened: OpenEditor | undefined
  let gone = false
  let tell: (opened: OpenEditor) => void
  const whenOpen = new Promise<OpenEditor>((resolve) => (tell = resolve))

  onMounted(() => open().catch(() => (state.value = 'failed')))
  onBeforeUnmount(() => {
    gone = true
    opened = undefined
    for (const end of ends.reverse()) end.dispose()
  })

  async function open(): Promise<void> {
    const loaded = await loadMonaco()
    if (gone) return
    const earlier = setup.pastTexts?.() ?? []
    const model = setup.model(loaded, earlier[0] ?? setup.text())
    if (!setup.lasting) ends.push(model)
    await setup.languageReady?.(loaded, model)
    if (gone || setup.host.value === undefined) return
    const editor = loaded.monaco.editor.create(setup.host.value, {
      ...commonOptions,
      ...fontOptions(preferences.textSize),
      ...reading(),
      ...setup.options,
      model,
    })
    opened = { ...loaded, model, editor }
    ends.push(editor, ...(setup.onOpen?.(opened) ?? []))
    // First takes over text that was typed elsewhere in the meantime; only then does this text count as typed.
    for (const text of earlier) take(text)
    take(setup.text())
    ends.push(model.onDidChangeContent(() => setup.onInput(textOf(loaded, model))))
    mark()
    state.value = 'ready'
    tell(opened)
  }

  function reading(): Monaco.editor.IEditorOptions {
    const readOnly = setup.readOnly?.() ?? false
    return { readOnly, domReadOnly: readOnly }
  }

  let last = { at: -Infinity, end: -1 }

  /**
   * Applies an edit from elsewhere as the single range that differs, so the editor can undo it. Continuous typing in
   * one place is one step.
   */
  function take(text: string): void {
    if (opened === undefined) return
    const { model, monaco } = opened
    const delta = deltaOf(textOf(opened, model), text)
    if (delta === null) return
    const range = monaco.Range.fromPositions(model.getPositionAt(delta.start), model.getPositionAt(delta.end))
    const goesOn = performance.now() - last.at < goingOn && delta.start === last.end
    if (!goesOn) model.pushStackElement()
    model.pushEditOperations([], [{ range, text: delta.text }], () => null)
    last = { at: performance.now(), end: delta.start + delta.text.length }
  }

  function mark(): void {
    if (opened === undefined) return
    const { model, monaco } = opened
    const { Error, Warning, Info } = monaco.MarkerSeverity
    const severities = { error: Error, warning: Warning, info: Info }
    const text = model.getValue()
    const markers = setup.marks().map(({ severity, message, code, at }) => {
      const { start, end } = at(text)
      const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end))
      return { ...range, severity: severities[severity], message, code }
    })
    monaco.editor.setModelMarkers(model, 'almanac', markers)
  }

  watch(setup.text, (text) => {
    take(text)
    if (opened !== undefined) setup.pastTexts?.()
  })
  watch(setup.marks, mark)
  watch(
    () => setup.readOnly?.(),
    () => opened?.editor.updateOptions(reading()),
  )
  watch(
    () => preferences.textSize,
    (size) => opened?.editor.updateOptions(fontOptions(size)),
  )

  return { state, opened: (): OpenEditor | undefined => opened, whenOpen }
}

const textOf = ({ monaco }: LoadedMonaco, model: Model): string =>
  model.getValue(monaco.editor.EndOfLinePreference.LF)
