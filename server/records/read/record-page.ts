/** A page of a list. */
export interface RecordPage {
  limit: number
  cursor?: string | undefined
}
