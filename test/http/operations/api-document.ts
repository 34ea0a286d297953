// Sends the operations of an OpenAPI document, and lists where a request or its response does not fit the document.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Media {
  schema?: object
}
interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  schema: object
}
interface Operation {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, Media> }
  responses: Record<string, { headers?: Record<string, unknown>; content?: Record<string, Media> }>
}
export interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, unknown> }
}

export interface Request {
  path?: Record<string, string | number>
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  /** Headers of the caller; default the administrator's. */
  as?: Record<string, string>
}

export interface Response<T> {
  status: number
  headers: Headers
  body: T
}

export class ApiDocument {
  readonly problems: string[] = []
  readonly #document: Document
  readonly #url: string
  readonly #caller: Record<string, string>
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  readonly #validators = new Map<string, ValidateFunction>()
  readonly #succeeded = new Set<string>()

  constructor(document: Document, url: string, caller: Record<string, string>) {
    this.#document = document
    this.#url = url
    this.#caller = caller
    this.#ajv.addSchema(document, 'api')
  }

  get operationIds(): string[] {
    return Object.values(this.#document.paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
  }

  /** The operations that did not respond with success. */
  get missing(): string[] {
    return this.operationIds.filter((id) => !this.#succeeded.has(id))
  }

  /**
   * Sends one request. What does not fit the document is added to `problems`.
   * @throws Error if the response is not a success
   */
  async send<T = Record<string, unknown>>(operationId: string, request: Request = {}): Promise<Response<T>> {
    const { template, method, operation } = this.#find(operationId)
    const pointer = `/paths/${escaped(template)}/${method}`
    this.#checkParameters(pointer, operation, request)
    const media = this.#checkBody(pointer, operation, request)
    const response = await fetch(this.#url + filled(template, request), {
      method: method.toUpperCase(),
      headers: {
        ...(media === undefined ? {} : { 'content-type': media }),
        ...(request.as ?? this.#caller),
        ...request.headers,
      },
      ...(request.body === undefined ? {} : { body: textOf(request.body) }),
      redirect: 'manual',
    })
    const body = await this.#checkResponse(pointer, operation, response)
    return { status: response.status, headers: response.headers, body: body as T }
  }

  #find(operationId: string): { template: string; method: string; operation: Operation } {
    for (const [template, methods] of Object.entries(this.#document.paths))
      for (const [method, operation] of Object.entries(methods))
        if (operation.operationId === operationId) return { template, method, operation }
    throw new Error(`The document has no operation "${operationId}".`)
  }

  #checkParameters(pointer: string, { operationId, parameters = [] }: Operation, request: Request): void {
    const sent: Record<string, Record<string, string | number> | undefined> = {
      ...{ path: request.path, query: request.query, header: request.headers },
    }
    const declared = parameters.map((each, at) =>
      each.$ref === undefined
        ? { ...each, at: `${pointer}/parameters/${at}` }
        : { ...this.#document.components.parameters[nameOf(each.$ref)]!, at: each.$ref.slice(1) },
    )
    for (const { name, in: place, required, at } of declared) {
      const value = sent[place]?.[name]
      if (value !== undefined) this.#check(`${at}/schema`, String(value), `${operationId}: ${name}`, true)
      else if (required === true) this.problems.push(`${operationId}: ${name} is required`)
    }
    for (const [place, values] of Object.entries(sent))
      for (const name of Object.keys(values ?? {}))
        if (!declared.some((each) => each.in === place && each.name === name))
          this.problems.push(`${operationId}: the ${place} parameter ${name} is not declared`)
  }

  #checkBody(
    pointer: string,
    { operationId, requestBody }: Operation,
    { body }: Request,
  ): string | undefined {
    if (body === undefined) {
      if (requestBody?.required === true) this.problems.push(`${operationId}: a body is required`)
      return undefined
    }
    const [media] = Object.keys(requestBody?.content ?? {})
    const sent = body instanceof URLSearchParams ? Object.fromEntries(body) : body
    if (media === undefined) this.problems.push(`${operationId}: no body is declared`)
    else
      this.#check(`${pointer}/requestBody/content/${escaped(media)}/schema`, sent, `${operationId}: the body`)
    return media ?? 'application/json'
  }

  async #checkResponse(
    pointer: string,
    operation: Operation,
    response: globalThis.Response,
  ): Promise<unknown> {
    const { operationId, responses } = operation
    const { status, headers } = response
    const media = headers.get('content-type')?.split(';')[0]
    // A stream does not end.
    const isStream = media === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    const text = isStream ? '' : await response.text()
    // Later requests need what this one should have done.
    if (status >= 400) throw new Error([`${operationId}: ${status} ${text}`, ...this.problems].join('\n'))
    this.#succeeded.add(operationId)
    const declared = responses[String(status)]
    if (declared === undefined) {
      this.problems.push(`${operationId}: the status ${status} is not declared`)
      return undefined
    }
    if ('ETag' in (declared.headers ?? {}) && !headers.has('ETag'))
      this.problems.push(`${operationId}: the ETag is missing`)
    const content = declared.content ?? {}
    if (text === '' && !isStream) {
      if (Object.keys(content).length > 0) this.problems.push(`${operationId}: the content is missing`)
      return undefined
    }
    const name = Object.keys(content).find((each) => each.split(';')[0] === media)
    const found = content[name ?? '']
    if (found === undefined) {
      this.problems.push(`${operationId}: the media type ${media} is not declared`)
      return undefined
    }
    const body = /[/+]json$/.test(media!) ? (JSON.parse(text) as unknown) : text
    if (found.schema !== undefined && !isStream)
      this.#check(
        `${pointer}/responses/${status}/content/${escaped(name!)}/schema`,
        body,
        `${operationId}: the response`,
      )
    return body
  }

  #check(pointer: string, value: unknown, what: string, isText = false): void {
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `api#${pointer}` })
      this.#validators.set(pointer, validate)
    }
    // A parameter is sent as text, even one whose type is a number.
    if (validate(value) || (isText && validate(Number(value)))) return
    const errors = (validate.errors ?? []).slice(0, 3)
    this.problems.push(
      `${what}: ${errors.map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`).join('; ')}`,
    )
  }
}

function filled(template: string, { path = {}, query = {} }: Request): string {
  const address = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(path[name])),
  )
  const search = new URLSearchParams(query)
  return search.size === 0 ? address : `${address}?${search}`
}

/** A text is the body of a file. */
function textOf(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString()
  return typeof body === 'string' ? body : JSON.stringify(body)
}

const nameOf = (ref: string): string => ref.split('/').at(-1)!

/** A part of a JSON pointer in a URI fragment. */
function escaped(text: string): string {
  return encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
}
