// What an org is: its lineage, name and environment, and the latest time that it has seen.
export interface OrgProperties {
  /** UUID created at init; identifies the target of a plan. */
  lineage: string
  name: string
  /** dev, test, prod or any other name; the org's own `environment` scope. */
  environment: string
  createdAt: string
  /** The maximum number of bytes that the materialised slices of one generation can use. */
  sliceBudget: number
}

export interface PropertyReader {
  get(): OrgProperties
  /** The latest time that the org has seen; empty if none. */
  latestTime(): string
}

export interface PropertyTransactor extends PropertyReader {
  put(properties: Partial<Omit<OrgProperties, 'lineage' | 'createdAt'>>): void
  /** Stores the latest time that the org has seen. An earlier time changes nothing. */
  recordTime(at: string): void
}
