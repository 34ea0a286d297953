// Help on external services.
import type { ComponentDoc } from '../define.ts'

export const externalServiceDoc: ComponentDoc = {
  summary: 'An external service turns an OpenAPI description into typed operations.',
  text: `Each selected operation is available as <service>.<operationId>, with a checked signature. Requests and responses become types of the platform. The holders of the permission sets in grantedTo can call the operations directly.

An apply that adds the service, or changes its spec or operations, imports the description before its transaction. Other applies do not fetch it again.

The description is pinned by its hash. A new import that changes a generated signature fails, unless onSpecDrift is "warn". [External services](external-services.md) describes formats, hashes and types.`,
  example: {
    namedCredential: 'ledger',
    spec: { format: 'openapi_3_1', source: 'https://ledger.example.com/openapi.json' },
    operations: ['createEntry', 'getEntry'],
    grantedTo: ['finance'],
  },
}
