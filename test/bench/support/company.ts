// Companies of ten fields, and a server that keeps them: the same object on every side of the benchmarks of the data API.
import { isDeepStrictEqual } from 'node:util'
import type { Ask, LoadOptions, Served } from './served.ts'

/** Records that every side has before the first turn. */
export const stored = 20_000
export const perBatch = 200
export const perPage = 50

export const columns = [
  ...['name', 'city', 'street', 'country', 'email', 'owner', 'vat_id', 'size', 'founded', 'active'],
]

/** The fields of a company; `owner` is the user who can see it. */
export function companyOf(index: number, owner = 'clerk'): Record<string, unknown> {
  return {
    ...{
      name: `Company ${index}`,
      city: `City ${index % 100}`,
      street: `${index} Long Street`,
      country: 'DE',
    },
    ...{ email: `office@company-${index}.example`, owner, vat_id: `DE${100_000_000 + index}` },
    ...{ size: String(index), founded: '1999-04-01', active: index % 2 === 0 },
  }
}

/** A server with the companies 0 to `stored`, and the form of its requests and answers. */
export interface CompanyServer {
  name: string
  served: Served
  headers: Readonly<Record<string, string>>
  /** Of the stored companies, by index. */
  ids: readonly string[]
  /** A company as the server should return it. */
  expected(index: number): Record<string, unknown>
  read(id: string): Ask
  create(index: number): Ask
  /** Creates companies from an index on. */
  batch(first: number): Ask
  /** The companies that are larger than one, smallest first. */
  page(after: number): Ask
  /** The companies in the answer to a read, to a create or to a page. */
  companiesIn(body: string): unknown[]
  /** The IDs in the answer to a batch. Throws if a company was not created. */
  createdIn(body: string): string[]
  stop(): Promise<void>
}

/** How many of the answers are compared in full: more would make the process that asks the limit. */
const oneIn = 20

export interface CompanyAsk extends Ask {
  /** The companies that belong into the answer. */
  indexes: readonly number[]
}

/** Requests of a load, with a check of each answer. */
export function asking(
  side: CompanyServer,
  next: () => CompanyAsk,
): Pick<LoadOptions<CompanyAsk>, 'headers' | 'next' | 'check'> {
  let count = 0
  return {
    headers: side.headers,
    next,
    check: (status, body, { method, path, indexes }) => {
      count += 1
      const isRight =
        (status === 200 || status === 201) &&
        (count % oneIn === 0
          ? isDeepStrictEqual(side.companiesIn(body), indexes.map(side.expected))
          : indexes.every((index) => body.includes(`"Company ${index}"`)))
      if (!isRight) throw new Error(`${side.name} answered ${method} ${path} with ${status}: ${body}`)
    },
  }
}
