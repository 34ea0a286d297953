// How many rows of bulk jobs were processed since the start, for metrics.

export interface IngestCounts {
  noteRows(rows: IngestRowCounts): void
  read(): IngestRowCounts
}

export interface IngestRowCounts {
  saved: number
  failed: number
}

export function createIngestCounts(): IngestCounts {
  const total = { saved: 0, failed: 0 }
  return {
    noteRows: ({ saved, failed }) => {
      total.saved += saved
      total.failed += failed
    },
    read: () => ({ ...total }),
  }
}
