/** The answers to the requests of the documents. Written by `npm run generate`. */
import type { EndpointId } from "./documents.ts";

export const exampleAnswers: Readonly<Partial<Record<EndpointId, unknown>>> = {
  "zones.list": {
    result: [
      {
        id: "023e105f4ecef8ad9ca31a8372d0c353",
        name: "example.com",
        status: "active",
        paused: false,
        type: "full",
        account: {
          id: "9a7806061c88ada191ed06f989cc3dac",
          name: "Example",
        },
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "zones.get": {
    result: {
      id: "023e105f4ecef8ad9ca31a8372d0c353",
      name: "example.com",
      status: "active",
      paused: false,
      type: "full",
      account: {
        id: "9a7806061c88ada191ed06f989cc3dac",
        name: "Example",
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.operations.list": {
    result: [
      {
        operation_id: "9def2cb0-3ed0-4737-92ca-f09efa4718fd",
        method: "GET",
        host: "api.example.com",
        endpoint: "/orders/{var1}",
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "zones.settings.transformations.get": {
    result: {
      id: "transformations",
      value: "on",
      editable: true,
      modified_on: "2026-01-01T00:00:00.000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "zones.settings.transformations.edit": {
    result: {
      id: "transformations",
      value: "on",
      editable: true,
      modified_on: "2026-01-01T00:00:00.000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "zones.settings.transformations_allowed_origins.get": {
    result: {
      id: "transformations_allowed_origins",
      value: "",
      editable: true,
      modified_on: null,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "zones.settings.transformations_allowed_origins.edit": {
    result: {
      id: "transformations_allowed_origins",
      value: "images.example.org,*.example.net/photos",
      editable: true,
      modified_on: "2026-01-01T00:00:00.000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.configs.list": {
    result: [
      {
        id: "51231d16-01f1-48e3-93f8-91c99e81288e",
        created_at: "2026-01-01T00:00:00.000000Z",
        last_updated: "2026-01-01T00:00:00.000000Z",
        title: "Customers",
        description: "",
        token_type: "JWT",
        token_sources: ['http.request.headers["authorization"][0]'],
        credentials: {
          keys: [
            {
              alg: "ES256",
              crv: "P-256",
              kty: "EC",
              kid: "key-1",
              x: "XJOKMqqPVk0NlQMTCrEBHi_iBEwuX0dgo8a3OGtcTWE",
              y: "rbdr-g7Hh_O1MIqtA3Tzg7B4v8KLpARDbjoJFKJFfmw",
            },
          ],
        },
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "tokens.configs.get": {
    result: {
      id: "51231d16-01f1-48e3-93f8-91c99e81288e",
      created_at: "2026-01-01T00:00:00.000000Z",
      last_updated: "2026-01-01T00:00:00.000000Z",
      title: "Customers",
      description: "",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: {
        keys: [
          {
            alg: "ES256",
            crv: "P-256",
            kty: "EC",
            kid: "key-1",
            x: "XJOKMqqPVk0NlQMTCrEBHi_iBEwuX0dgo8a3OGtcTWE",
            y: "rbdr-g7Hh_O1MIqtA3Tzg7B4v8KLpARDbjoJFKJFfmw",
          },
        ],
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.configs.create": {
    result: {
      id: "00000000-0000-4000-8000-000000000005",
      created_at: "2026-01-01T00:00:00.000000Z",
      last_updated: "2026-01-01T00:00:00.000000Z",
      title: "Customers",
      description: "Tokens of the shop",
      token_type: "JWT",
      token_sources: ['http.request.headers["authorization"][0]'],
      credentials: {
        keys: [
          {
            alg: "ES256",
            crv: "P-256",
            kty: "EC",
            kid: "key-1",
            x: "XJOKMqqPVk0NlQMTCrEBHi_iBEwuX0dgo8a3OGtcTWE",
            y: "rbdr-g7Hh_O1MIqtA3Tzg7B4v8KLpARDbjoJFKJFfmw",
          },
        ],
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.configs.edit": {
    result: {
      id: "51231d16-01f1-48e3-93f8-91c99e81288e",
      title: "Customers and staff",
      description: "",
      token_sources: ['http.request.headers["authorization"][0]'],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.configs.delete": {
    result: {
      id: "51231d16-01f1-48e3-93f8-91c99e81288e",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.configs.credentials": {
    errors: [],
    keys: [
      {
        alg: "ES256",
        crv: "P-256",
        kty: "EC",
        kid: "key-1",
        x: "XJOKMqqPVk0NlQMTCrEBHi_iBEwuX0dgo8a3OGtcTWE",
        y: "rbdr-g7Hh_O1MIqtA3Tzg7B4v8KLpARDbjoJFKJFfmw",
      },
    ],
    messages: [],
    success: true,
  },
  "tokens.rules.list": {
    result: [
      {
        id: "0f1e2d3c-4b5a-4968-8776-655443322110",
        created_at: "2026-01-01T00:00:00.000000Z",
        last_updated: "2026-01-01T00:00:00.000000Z",
        title: "Tokens are valid",
        description: "",
        action: "block",
        enabled: true,
        expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
        selector: {
          include: [
            {
              host: ["api.example.com"],
            },
          ],
        },
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "tokens.rules.create": {
    result: {
      id: "00000000-0000-4000-8000-000000000005",
      created_at: "2026-01-01T00:00:00.000000Z",
      last_updated: "2026-01-01T00:00:00.000000Z",
      title: "Orders need a token",
      description: "All operations of the API",
      action: "block",
      enabled: true,
      expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
      selector: {
        include: [
          {
            host: ["api.example.com"],
          },
        ],
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.rules.bulkCreate": {
    result: [
      {
        id: "00000000-0000-4000-8000-000000000005",
        created_at: "2026-01-01T00:00:00.000000Z",
        last_updated: "2026-01-01T00:00:00.000000Z",
        title: "Orders need a token",
        description: "All operations of the API",
        action: "block",
        enabled: true,
        expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
        selector: {
          include: [
            {
              host: ["api.example.com"],
            },
          ],
        },
      },
    ],
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.rules.bulkEdit": {
    result: [
      {
        id: "0f1e2d3c-4b5a-4968-8776-655443322110",
        created_at: "2026-01-01T00:00:00.000000Z",
        last_updated: "2026-01-01T00:00:00.000000Z",
        title: "Tokens are valid",
        description: "",
        action: "block",
        enabled: false,
        expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
        selector: {
          include: [
            {
              host: ["api.example.com"],
            },
          ],
        },
      },
    ],
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.rules.get": {
    result: {
      id: "0f1e2d3c-4b5a-4968-8776-655443322110",
      created_at: "2026-01-01T00:00:00.000000Z",
      last_updated: "2026-01-01T00:00:00.000000Z",
      title: "Tokens are valid",
      description: "",
      action: "block",
      enabled: true,
      expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
      selector: {
        include: [
          {
            host: ["api.example.com"],
          },
        ],
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.rules.edit": {
    result: {
      id: "0f1e2d3c-4b5a-4968-8776-655443322110",
      created_at: "2026-01-01T00:00:00.000000Z",
      last_updated: "2026-01-01T00:00:00.000000Z",
      title: "Tokens are valid",
      description: "",
      action: "log",
      enabled: true,
      expression: 'is_jwt_valid("51231d16-01f1-48e3-93f8-91c99e81288e")',
      selector: {
        include: [
          {
            host: ["api.example.com"],
          },
        ],
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "tokens.rules.delete": {
    result: {
      id: "0f1e2d3c-4b5a-4968-8776-655443322110",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.zones.list": {
    result: [
      {
        id: "2f2feab2026849078ba485f918791bdc",
        name: "default",
        description: "",
        kind: "zone",
        phase: "http_request_firewall_custom",
        version: "1",
        last_updated: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      cursors: {},
    },
  },
  "rulesets.zones.get": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "zone",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.zones.entrypoint": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "zone",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.zones.replaceEntryPoint": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      kind: "zone",
      phase: "http_request_firewall_custom",
      name: "default",
      description: "Who may do what.",
      version: "2",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          id: "3a03d665bac047339bb530ecb439a90d",
          ref: "admins",
          action: "block",
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          description: "",
          enabled: true,
          version: "2",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
        {
          id: "00000000000000000000000000000005",
          ref: "office",
          action: "log",
          expression: "not ip.src in $office",
          description: "",
          enabled: true,
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.zones.versions": {
    result: [
      {
        id: "2f2feab2026849078ba485f918791bdc",
        name: "default",
        description: "",
        kind: "zone",
        phase: "http_request_firewall_custom",
        version: "1",
        last_updated: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.zones.version": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "zone",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.accounts.list": {
    result: [
      {
        id: "2f2feab2026849078ba485f918791bdc",
        name: "default",
        description: "",
        kind: "root",
        phase: "http_request_firewall_custom",
        version: "1",
        last_updated: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      cursors: {},
    },
  },
  "rulesets.accounts.get": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "root",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.accounts.entrypoint": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "root",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.accounts.replaceEntryPoint": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      kind: "root",
      phase: "http_request_firewall_custom",
      name: "default",
      description: "Who may do what.",
      version: "2",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          id: "3a03d665bac047339bb530ecb439a90d",
          ref: "admins",
          action: "block",
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          description: "",
          enabled: true,
          version: "2",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
        {
          id: "00000000000000000000000000000005",
          ref: "office",
          action: "log",
          expression: "not ip.src in $office",
          description: "",
          enabled: true,
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.accounts.versions": {
    result: [
      {
        id: "2f2feab2026849078ba485f918791bdc",
        name: "default",
        description: "",
        kind: "root",
        phase: "http_request_firewall_custom",
        version: "1",
        last_updated: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
  },
  "rulesets.accounts.version": {
    result: {
      id: "2f2feab2026849078ba485f918791bdc",
      name: "default",
      description: "",
      kind: "root",
      phase: "http_request_firewall_custom",
      version: "1",
      last_updated: "2026-01-01T00:00:00.000000Z",
      rules: [
        {
          ref: "admins",
          id: "3a03d665bac047339bb530ecb439a90d",
          action: "block",
          description: "Only admins delete.",
          enabled: true,
          expression:
            'http.request.method eq "DELETE" and not lookup_json_string(http.request.jwt.claims["51231d16-01f1-48e3-93f8-91c99e81288e"][0], "role") eq "admin"',
          version: "1",
          last_updated: "2026-01-01T00:00:00.000000Z",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.create": {
    result: {
      id: "00000000000000000000000000000005",
      name: "partners",
      kind: "ip",
      description: "Networks of partners.",
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
      num_items: 0,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.edit": {
    result: {
      id: "2c0fc9fa937b11eaa1b71c4d701ab86e",
      name: "office",
      kind: "ip",
      description: "Networks of the office.",
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
      num_items: 3,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.delete": {
    result: {
      id: "2c0fc9fa937b11eaa1b71c4d701ab86e",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.items.replace": {
    result: {
      operation_id: "019b76daa800869e6454ef53c453bd4c",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.items.append": {
    result: {
      operation_id: "019b76daa800869e6454ef53c453bd4c",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.items.remove": {
    result: {
      operation_id: "019b76daa800869e6454ef53c453bd4c",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.operation": {
    result: {
      id: "019b76daa800869e6454ef53c453bd4c",
      status: "completed",
      completed: "2026-01-01T00:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.list": {
    result: [
      {
        id: "2c0fc9fa937b11eaa1b71c4d701ab86e",
        name: "office",
        kind: "ip",
        description: "",
        created_on: "2026-01-01T00:00:00.000000Z",
        modified_on: "2026-01-01T00:00:00.000000Z",
        num_items: 3,
      },
    ],
    success: true,
    errors: [],
    messages: [],
  },
  "lists.get": {
    result: {
      id: "2c0fc9fa937b11eaa1b71c4d701ab86e",
      name: "office",
      kind: "ip",
      description: "",
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
      num_items: 3,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "lists.items": {
    result: [
      {
        id: "95c078801afc573de0d08e320e300b47",
        ip: "192.0.2.0/24",
        created_on: "2026-01-01T00:00:00.000000Z",
        modified_on: "2026-01-01T00:00:00.000000Z",
      },
      {
        id: "7d9367c651b8482e1056acd849c08078",
        ip: "2001:db8::1",
        created_on: "2026-01-01T00:00:00.000000Z",
        modified_on: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      cursors: {
        after: "Mg",
      },
    },
  },
  "brand.domains.queries.list": [
    {
      created: "2026-01-01T00:00:00.000000Z",
      updated: "2026-01-01T00:00:00.000000Z",
      query_id: 1,
      query_tag: "payments",
      scan: false,
      parameters: {
        string_matches: [
          {
            pattern: "paypal",
            max_edit_distance: 1,
          },
        ],
      },
    },
  ],
  "brand.domains.queries.create": {
    message: "Domain query 2 was created.",
    success: true,
    query_id: 2,
  },
  "brand.domains.queries.edit": {
    message: "Domain query 1 was changed.",
    success: true,
    query_id: 1,
  },
  "brand.domains.queries.delete": {
    message: "The domain query was deleted.",
    success: true,
  },
  "brand.domains.matches.list": {
    matches: [
      {
        domain: "paypa1.com",
        domain_id: 1,
        first_seen: "2026-01-01T00:00:00.000000Z",
        public_scans: {
          submission_id: "",
        },
        registrar: "",
        scan_status: "none",
        scan_submission_id: 0,
        source: "",
        dismissed: false,
      },
    ],
    total: 1,
  },
  "brand.domains.matches.dismiss": {
    message: "The match was dismissed.",
    success: true,
  },
  "brand.domains.matches.undismiss": {
    message: "The match was undismissed.",
    success: true,
  },
  "brand.logos.queries.list": [
    {
      id: 1,
      store_path: "pictures/453654f4221e82dff72ad1b32611a059e43d365162591e54e9bde1f6bc15803b",
      similarity_threshold: 0.7,
      tag: "logo",
      uploaded_at: "2026-01-01T00:00:00.000000Z",
    },
  ],
  "brand.logos.queries.create": {
    message: "Logo query 2 was created.",
    success: true,
    query_id: 2,
  },
  "brand.logos.queries.delete": {
    message: "The logo query was deleted.",
    success: true,
  },
  "brand.logos.matches.list": {
    matches: [
      {
        id: 1,
        domain: "shop.example.net",
        matched_at: "2026-01-01T00:00:00.000000Z",
        query_id: 1,
        registrar: "",
        similarity_score: 1,
        url_scan_id: "",
      },
    ],
    total: 1,
  },
  "brand.logos.matches.dismiss": {
    message: "The match was dismissed.",
    success: true,
  },
  "brand.logos.matches.undismiss": {
    message: "The match was undismissed.",
    success: true,
  },
  "brand.observations.names": {
    result: {
      "new": 1,
      duplicate: 0,
      rejected: 0,
      matches: 1,
      problems: [],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "brand.observations.pictures": {
    result: {
      "new": 1,
      duplicate: 0,
      rejected: 0,
      matches: 1,
      problems: [],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.list": {
    result: {
      images: [
        {
          id: "products/shoe",
          meta: {
            color: "blue",
          },
          uploaded: "2026-01-01T00:00:00.000000Z",
          requireSignedURLs: false,
          variants: [
            "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/public",
            "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/thumbnail",
          ],
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 100,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "images.upload": {
    result: {
      id: "products/hat",
      filename: "picture.png",
      meta: {
        color: "blue",
      },
      uploaded: "2026-01-01T00:00:00.000000Z",
      requireSignedURLs: false,
      variants: [
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/hat/public",
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/hat/thumbnail",
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.config.get": {
    result: {
      flexible_variants: false,
      browser_ttl: 172800,
      preserve_content_credentials: false,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.config.edit": {
    result: {
      flexible_variants: false,
      browser_ttl: 86400,
      preserve_content_credentials: false,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.batchToken": {
    result: {
      token:
        "edgeproof-batch.9a7806061c88ada191ed06f989cc3dac.1767229200000.142c872fd944515000f01ae30ac3c22ab6927428e086e9e13ae038fac04594d0",
      expiresAt: "2026-01-01T01:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.keys.list": {
    result: {
      keys: [
        {
          name: "default",
          value: "example-signing-key",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.keys.put": {
    result: {
      keys: [
        {
          name: "default",
          value: "example-signing-key",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [
      {
        code: 10402,
        message: "The signing key `default` already exists and keeps its value.",
      },
    ],
  },
  "images.keys.delete": {
    result: {
      keys: [
        {
          name: "default",
          value: "secret00000000000000000000000005",
        },
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.stats": {
    result: {
      count: {
        allowed: 100000,
        current: 1,
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.variants.list": {
    result: {
      variants: {
        public: {
          options: {
            fit: "scale-down",
            width: 1366,
            height: 768,
            metadata: "none",
          },
          neverRequireSignedURLs: false,
        },
        thumbnail: {
          options: {
            fit: "cover",
            width: 100,
            height: 100,
            metadata: "none",
          },
          neverRequireSignedURLs: false,
        },
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.variants.create": {
    result: {
      variant: {
        id: "square",
        options: {
          fit: "cover",
          width: 200,
          height: 200,
          metadata: "none",
        },
        neverRequireSignedURLs: false,
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.variants.get": {
    result: {
      variant: {
        id: "thumbnail",
        options: {
          fit: "cover",
          width: 100,
          height: 100,
          metadata: "none",
        },
        neverRequireSignedURLs: false,
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.variants.edit": {
    result: {
      variant: {
        id: "thumbnail",
        options: {
          fit: "cover",
          width: 300,
          height: 200,
          metadata: "none",
        },
        neverRequireSignedURLs: true,
      },
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.variants.delete": {
    result: {},
    success: true,
    errors: [],
    messages: [],
  },
  "images.get": {
    result: {
      id: "products/shoe",
      meta: {
        color: "blue",
      },
      uploaded: "2026-01-01T00:00:00.000000Z",
      requireSignedURLs: false,
      variants: [
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/public",
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/thumbnail",
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.edit": {
    result: {
      id: "products/shoe",
      meta: {
        color: "red",
      },
      uploaded: "2026-01-01T00:00:00.000000Z",
      requireSignedURLs: false,
      variants: [
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/public",
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/thumbnail",
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.delete": {
    result: {},
    success: true,
    errors: [],
    messages: [],
  },
  "images.listFrom": {
    result: {
      images: [
        {
          id: "products/shoe",
          meta: {
            color: "blue",
          },
          uploaded: "2026-01-01T00:00:00.000000Z",
          requireSignedURLs: false,
          variants: [
            "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/public",
            "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/products/shoe/thumbnail",
          ],
        },
      ],
      continuation_token: null,
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.drafts.create": {
    result: {
      id: "00000000-0000-4000-8000-000000000005",
      uploadURL:
        "https://api.example.com/cdn-cgi/imageupload/AHqyJ4xVt1B2c3D4e5F6gH/secret00000000000000000000000006",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "images.drafts.fill": {
    result: {
      id: "00000000-0000-4000-8000-000000000005",
      filename: "picture.png",
      uploaded: "2026-01-01T00:00:00.000000Z",
      requireSignedURLs: false,
      variants: [
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/00000000-0000-4000-8000-000000000005/public",
        "https://api.example.com/cdn-cgi/imagedelivery/AHqyJ4xVt1B2c3D4e5F6gH/00000000-0000-4000-8000-000000000005/thumbnail",
      ],
    },
    success: true,
    errors: [],
    messages: [],
  },
  "proxy.apps.list": {
    result: [
      {
        id: "ea95132c15732412d22c1476fa83f27a",
        protocol: "tcp/22",
        dns: {
          name: "ssh.example.com",
          type: "CNAME",
        },
        traffic_type: "direct",
        edge_ips: {
          type: "dynamic",
          connectivity: "all",
        },
        smart_routing: false,
        ip_firewall: false,
        proxy_protocol: "off",
        tls: "off",
        origin_direct: ["tcp://192.0.2.1:22"],
        created_on: "2026-01-01T00:00:00.000000Z",
        modified_on: "2026-01-01T00:00:00.000000Z",
      },
    ],
    success: true,
    errors: [],
    messages: [],
    result_info: {
      page: 1,
      per_page: 20,
      count: 1,
      total_count: 1,
      total_pages: 1,
    },
  },
  "proxy.apps.get": {
    result: {
      id: "ea95132c15732412d22c1476fa83f27a",
      protocol: "tcp/22",
      dns: {
        name: "ssh.example.com",
        type: "CNAME",
      },
      traffic_type: "direct",
      edge_ips: {
        type: "dynamic",
        connectivity: "all",
      },
      smart_routing: false,
      ip_firewall: false,
      proxy_protocol: "off",
      tls: "off",
      origin_direct: ["tcp://192.0.2.1:22"],
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [],
  },
  "proxy.apps.create": {
    result: {
      id: "00000000000000000000000000000005",
      protocol: "tcp/22",
      dns: {
        name: "git.example.com",
        type: "CNAME",
      },
      traffic_type: "direct",
      edge_ips: {
        type: "dynamic",
        connectivity: "all",
      },
      smart_routing: false,
      ip_firewall: false,
      proxy_protocol: "off",
      tls: "off",
      origin_direct: ["tcp://192.0.2.1:22"],
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [
      {
        code: 10403,
        message:
          "The check `protocol-outside-plan` (13002) was not evaluated; it needs the missing facts `protocols.allowed`.",
      },
      {
        code: 10403,
        message:
          "The check `protocol-reserved` (13002) was not evaluated; it needs the missing facts `protocols.reserved`.",
      },
    ],
  },
  "proxy.apps.edit": {
    result: {
      id: "ea95132c15732412d22c1476fa83f27a",
      protocol: "tcp/22",
      dns: {
        name: "ssh.example.com",
        type: "CNAME",
      },
      traffic_type: "direct",
      edge_ips: {
        type: "dynamic",
        connectivity: "all",
      },
      smart_routing: false,
      ip_firewall: true,
      proxy_protocol: "off",
      tls: "off",
      origin_direct: ["tcp://192.0.2.1:22"],
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [
      {
        code: 10403,
        message:
          "The check `protocol-outside-plan` (13002) was not evaluated; it needs the missing facts `protocols.allowed`.",
      },
      {
        code: 10403,
        message:
          "The check `protocol-reserved` (13002) was not evaluated; it needs the missing facts `protocols.reserved`.",
      },
    ],
  },
  "proxy.apps.replace": {
    result: {
      id: "ea95132c15732412d22c1476fa83f27a",
      protocol: "tcp/22",
      dns: {
        name: "ssh.example.com",
        type: "CNAME",
      },
      traffic_type: "direct",
      edge_ips: {
        type: "dynamic",
        connectivity: "all",
      },
      smart_routing: false,
      ip_firewall: false,
      proxy_protocol: "off",
      tls: "off",
      origin_direct: ["tcp://192.0.2.1:22"],
      created_on: "2026-01-01T00:00:00.000000Z",
      modified_on: "2026-01-01T00:00:00.000000Z",
    },
    success: true,
    errors: [],
    messages: [
      {
        code: 10403,
        message:
          "The check `protocol-outside-plan` (13002) was not evaluated; it needs the missing facts `protocols.allowed`.",
      },
      {
        code: 10403,
        message:
          "The check `protocol-reserved` (13002) was not evaluated; it needs the missing facts `protocols.reserved`.",
      },
    ],
  },
  "proxy.apps.delete": {
    result: {
      id: "ea95132c15732412d22c1476fa83f27a",
    },
    success: true,
    errors: [],
    messages: [],
  },
  health: {
    status: "ok",
  },
};
