// The parts of Monaco that the studio uses, in one chunk, and its workers.
import * as monaco from 'monaco-editor/editor'
import * as json from 'monaco-editor/languages/features/json/register'
import 'monaco-editor/features/bracketMatching/register'
import 'monaco-editor/features/clipboard/register'
import 'monaco-editor/features/codeEditor/register'
import 'monaco-editor/features/codelens/register'
import 'monaco-editor/features/codicon/register'
// The diff editor needs its service, which is not found if it is registered after the first editor was created.
import 'monaco-editor/features/documentSymbols/register'
import 'monaco-editor/features/comment/register'
import 'monaco-editor/features/contextmenu/register'
import 'monaco-editor/features/cursorUndo/register'
import 'monaco-editor/features/dropOrPasteInto/register'
import 'monaco-editor/features/find/register'
import 'monaco-editor/features/folding/register'
import 'monaco-editor/features/format/register'
import 'monaco-editor/features/gotoError/register'
import 'monaco-editor/features/hover/register'
import 'monaco-editor/features/linesOperations/register'
import 'monaco-editor/features/multicursor/register'
import 'monaco-editor/features/parameterHints/register'
import 'monaco-editor/features/placeholderText/register'
import 'monaco-editor/features/smartSelect/register'
import 'monaco-editor/features/snippet/register'
import 'monaco-editor/features/suggest/register'
// The feature registers only inline suggestions; without this the controller is loaded with the JSON mode, after the
// editor.
import 'monaco-editor/editor/contrib/suggest/browser/suggestController.js'
import 'monaco-editor/features/toggleTabFocusMode/register'
import 'monaco-editor/features/wordHighlighter/register'
import 'monaco-editor/features/wordOperations/register'
import EditorWorker from 'monaco-editor/editor/editor.worker?worker'
import JsonWorker from 'monaco-editor/languages/features/json/json.worker?worker'
import { showSuggestDocs } from './suggest-docs.ts'

const workers: Record<string, new () => Worker> = { json: JsonWorker }

self.MonacoEnvironment = {
  getWorker: (_module: string, label: string): Worker => new (workers[label] ?? EditorWorker)(),
}

showSuggestDocs()

export { monaco, json }
