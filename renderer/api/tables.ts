// Import and export of a set: a file is inspected, previewed and saved as drafts; rows are saved as a file.
import type { ImportInspection, ImportQuestion } from '#kernel/import/inspection.ts'
import type { ImportPreviewView, ImportView } from '#wire/tables.ts'
import { download, post } from './request.ts'
import type { Envelope, JsonValue } from './wire.ts'

export type { ImportInspection, ImportQuestion }

/** How columns become entries; `kernel/import/mapping.ts` reads it. */
export type ImportMap = Record<string, JsonValue>

export interface TableFile {
  /** Base64. */
  bytes: string
  name: string
}

export interface FormAnswers {
  encoding?: string
  delimiter?: string
  /** The line of the header row; false if none exists. */
  header?: number | false
  sheet?: string
}

export type ImportPreview = ImportPreviewView<Envelope>

export const inspectFile = (file: TableFile, set: string, options: FormAnswers): Promise<ImportInspection> =>
  post('/setup/v3/import/inspect', { ...file, set, options })

export const previewImport = (
  file: TableFile,
  set: string,
  map: ImportMap,
  repair: readonly string[],
): Promise<ImportPreview> => post('/setup/v3/import/preview', { ...file, set, map, options: { repair } })

/** Saves the changes of an import as drafts: all or none. */
export const importFile = (
  file: TableFile,
  set: string,
  map: ImportMap,
  repair: readonly string[],
): Promise<ImportView<Envelope>> => post('/setup/v3/import', { ...file, set, map, options: { repair } })

export type TableFormat = 'csv' | 'xlsx'

/** Returns the URL from which the browser downloads the whole active set. */
export const exportAddress = (set: string, format: TableFormat): string =>
  `/setup/v3/sets/${encodeURIComponent(set)}/export?format=${format}`

/** Saves some rows, including their drafts, as a file. */
export const exportRows = (set: string, format: TableFormat, slugs: readonly string[]): Promise<void> =>
  download(`/setup/v3/sets/${encodeURIComponent(set)}/export`, { format, slugs })
