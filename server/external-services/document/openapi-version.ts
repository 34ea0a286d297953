// Accepts OpenAPI 3.1 and 3.0. Other formats are refused by name.
import { descriptionError } from '../description-error.ts'
import { textIn, type JsonObject } from '../json.ts'

export type OpenapiVersion = '3.0' | '3.1'

const refusals: readonly [member: string, version: RegExp, format: string, way: string][] = [
  [
    ...(['openapi', /^3\.2(\.|$)/, 'OpenAPI 3.2'] as const),
    'Export it as OpenAPI 3.1, or change "openapi" to 3.1.1 if it uses nothing new.',
  ],
  [
    ...(['swagger', /^2(\.|$)/, 'Swagger 2.0'] as const),
    'Convert it to OpenAPI 3.0 or 3.1 first, for example with swagger2openapi.',
  ],
  [...(['swagger', /^1(\.|$)/, 'Swagger 1.2'] as const), 'Convert it to OpenAPI 3.0 or 3.1 first.'],
  [...(['asyncapi', /./, 'AsyncAPI'] as const), 'It describes events. Import an OpenAPI description.'],
  [
    ...(['arazzo', /./, 'Arazzo'] as const),
    'It describes workflows. Import the OpenAPI description that it names.',
  ],
  [
    ...(['overlay', /./, 'an OpenAPI Overlay'] as const),
    'Apply it to its description, and import the result.',
  ],
]

/** @throws AlmanacError naming the format and what to do */
export function openapiVersion(document: JsonObject, name: string): OpenapiVersion {
  const version = textIn(document, 'openapi') ?? ''
  const match = /^3\.([01])(\.\d+)?(-|$)/.exec(version.trim())
  if (match !== null) return match[1] === '0' ? '3.0' : '3.1'
  for (const [member, expected, format, way] of refusals) {
    const found = document[member]
    const text = typeof found === 'string' || typeof found === 'number' ? String(found) : ''
    if (expected.test(text))
      throw descriptionError(
        'description.unsupported',
        `${name} is ${format}, which is not supported. ${way}`,
        { pointer: `/${member}` },
      )
  }
  throw descriptionError(
    'description.unsupported',
    version === ''
      ? `${name} has no "openapi" member with a version, so it is not an OpenAPI description. Check the address or the file.`
      : `${name} has the OpenAPI version "${version}", which is not supported. Use 3.0 or 3.1.`,
    { pointer: version === '' ? '' : '/openapi' },
  )
}
