// Form of a webhook endpoint.
import type { FormDescriptor } from '../form.ts'
import { webhookPresets } from './presets.ts'

export const webhookEndpointForm: FormDescriptor = {
  presets: webhookPresets,
  sections: [
    {
      title: 'Endpoint',
      fields: [
        {
          path: 'path',
          label: 'Path',
          help: 'The path that receives deliveries.',
          widget: 'text',
          required: true,
          placeholder: '/hooks/payments',
        },
        {
          path: 'runAs',
          label: 'Runs as',
          help: 'The user whose permission sets decide what a delivery can write.',
          widget: 'text',
          required: true,
        },
      ],
    },
    {
      title: 'Verification',
      fields: [
        {
          path: 'verification',
          label: 'Signature',
          help: 'How deliveries are verified.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'scheme',
              label: 'Scheme',
              help: 'The algorithm of the signature.',
              widget: 'select',
              required: true,
              options: [{ value: 'hmac_sha256', label: 'HMAC with SHA-256' }],
            },
            {
              path: 'externalCredential',
              label: 'Secret',
              help: 'The credential with the shared secret in its store: its one principal has the secret "key".',
              widget: 'reference',
              required: true,
              refTypes: ['external_credential'],
            },
            {
              path: 'secretEncoding',
              label: 'Secret is written as',
              help: 'How the bytes of the secret are written. If omitted, the text itself is the secret.',
              widget: 'select',
              options: [
                { value: 'utf8', label: 'Text' },
                { value: 'base64', label: 'Base64' },
                { value: 'hex', label: 'Hexadecimal' },
                { value: 'whsec', label: 'whsec_ and base64' },
              ],
            },
            {
              path: 'signatureHeader',
              label: 'Signature header',
              help: 'The header with the signature, or a part of it, as in Stripe-Signature#v1.',
              widget: 'text',
              required: true,
            },
            {
              path: 'signedPayload',
              label: 'Signed text',
              help: 'The text that is signed, with {timestamp}, {id} and {body} for its parts.',
              widget: 'text',
              placeholder: '{timestamp}.{body}',
            },
            {
              path: 'timestampHeader',
              label: 'Time header',
              help: 'The header with the time, or a part of another header, as in Stripe-Signature#t.',
              widget: 'text',
            },
            {
              path: 'toleranceSec',
              label: 'Tolerance (s)',
              help: 'The maximum difference between the time of the delivery and the time of the server.',
              widget: 'number',
            },
            {
              path: 'challenge',
              label: 'Challenge',
              help: 'A pointer into the body, such as /challenge: a verified text there is sent back.',
              widget: 'text',
            },
          ],
        },
      ],
    },
    {
      title: 'Duplicates',
      fields: [
        {
          path: 'dedupe',
          label: 'Duplicates',
          help: 'How duplicate deliveries are detected.',
          widget: 'group',
          fields: [
            {
              path: 'idHeader',
              label: 'Id header',
              help: 'The header with the id of the delivery, or a path in the body, as in body:/id.',
              widget: 'text',
            },
            {
              path: 'windowHours',
              label: 'Window (h)',
              help: 'How long the ids of deliveries are kept.',
              widget: 'number',
            },
          ],
        },
      ],
    },
    {
      title: 'Dispatch',
      fields: [
        {
          path: 'dispatch',
          label: 'Target',
          help: 'Choose exactly one: a channel, an automation or a record.',
          widget: 'group',
          required: true,
          fields: [
            {
              path: 'publishTo',
              label: 'Channel',
              help: 'Publishes the delivery as an event.',
              widget: 'reference',
              refTypes: ['event_channel'],
            },
            {
              path: 'automation',
              label: 'Automation',
              help: 'Calls an invocable automation.',
              widget: 'reference',
              refTypes: ['automation'],
            },
            {
              path: 'values',
              label: 'Values',
              help: 'For fields of the channel or parameters of the automation, pointers into the delivered body. If omitted, members of the same name.',
              widget: 'map',
            },
            {
              path: 'upsert',
              label: 'Record',
              help: 'Creates or changes a record.',
              widget: 'group',
              fields: [
                {
                  path: 'object',
                  label: 'Object',
                  help: 'The object whose record is written.',
                  widget: 'reference',
                  required: true,
                  refTypes: ['object'],
                },
                {
                  path: 'externalId',
                  label: 'Matched by',
                  help: 'The unique field that identifies an existing record.',
                  widget: 'object_field',
                  required: true,
                },
                {
                  path: 'values',
                  label: 'Values',
                  help: 'For each field, a pointer into the delivered body such as /data/amount.',
                  widget: 'map',
                  required: true,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
}
