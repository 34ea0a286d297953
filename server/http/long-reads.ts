// Long reads; their routes run in a lane outside the main thread.
import type { Impact, RecordsImpact } from '#kernel/change/index.ts'
import type { ComponentOf } from '#kernel/components/body-types.ts'
import type { KeyHistoryView } from '#kernel/config/index.ts'
import type { ImportInspection } from '#kernel/import/index.ts'
import type { ImpactRequest, RecordsImpactRequest } from '../impact/index.ts'
import type { ImportPreview, PreviewRequest, ReadOptions } from '../import/index.ts'
import type { ComparePointsRequest, KeyMapRequest, ComparedPointsPage } from '../points/index.ts'
import type { ReviewRequest } from '../review/index.ts'

export interface InspectRequest {
  bytes: Uint8Array
  name: string
  options: ReadOptions
  set: ComponentOf<'config_set'> | null
}

/** Each takes and returns plain data, which crosses to another thread, names the caller and checks their rights. */
export interface LongReads {
  inspectFile(request: InspectRequest): Promise<ImportInspection>
  previewImport(request: PreviewRequest): Promise<ImportPreview>
  impact(request: ImpactRequest): Promise<Impact>
  recordsImpact(request: RecordsImpactRequest): Promise<RecordsImpact>
  comparePoints(request: ComparePointsRequest): Promise<ComparedPointsPage>
  keyMap(request: KeyMapRequest): Promise<KeyHistoryView>
  /** The HTML. */
  reviewDocument(request: ReviewRequest): Promise<string>
}
