// Types of a ledger for tests: a circle, members for one direction, names that are not identifiers, and unknown types.
import type { ServiceTypes } from './service-types.ts'

const entry = { kind: 'object', name: 'Entry' } as const

export const ledgerTypes: ServiceTypes = {
  operations: [
    {
      ...{ name: 'createEntry', method: 'POST', path: '/entries', responses: {}, parameters: [] },
      body: { required: true, mediaType: 'application/json', type: entry },
      result: entry,
    },
    {
      ...{ name: 'deleteEntry', method: 'DELETE', path: '/entries/{id}', responses: {} },
      parameters: [
        { key: 'id', name: 'id', in: 'path', required: true, type: { kind: 'decimal', integer: true } },
      ],
      ...{ body: null, result: { kind: 'absent' } },
    },
    {
      ...{ name: 'listEntries', method: 'GET', path: '/entries', responses: {}, body: null },
      parameters: [
        { key: 'limit', name: 'limit', in: 'query', required: false, type: { kind: 'decimal' } },
        {
          ...{ key: 'kind', name: 'kind', in: 'query', required: false },
          type: { kind: 'text', values: ['debit', 'credit'] },
        },
      ],
      result: { kind: 'list', of: entry },
    },
  ],
  objects: {
    Entry: {
      members: [
        { key: 'id', type: { kind: 'decimal', wire: 'text' }, required: true, only: 'response' },
        {
          ...{ key: 'amount', type: { kind: 'decimal' }, required: true },
          description: 'In the currency of the ledger.',
        },
        { key: 'note', type: { kind: 'text', nullable: true }, required: false },
        { key: 'secret', type: { kind: 'text' }, required: false, only: 'request' },
        { key: 'booked on', type: { kind: 'date' }, required: false },
        { key: 'kind', type: { kind: 'text', values: ['debit', 'credit'] }, required: true },
        { key: 'tags', type: { kind: 'list', of: { kind: 'text' } }, required: false },
        { key: 'parent', type: entry, required: false },
        { key: 'details', type: { kind: 'dyn' }, required: false },
      ],
      others: null,
    },
  },
}
