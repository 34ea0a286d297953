// Makes suggestions show their documentation immediately. Monaco keeps that choice in its storage, which starts empty
// for each page.
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js'
import { IStorageService } from 'monaco-editor/platform/storage/common/storage.js'

const [profile, user] = [0, 0]

export function showSuggestDocs(): void {
  StandaloneServices.get(IStorageService).store('expandSuggestionDocs', true, profile, user)
}
