//! What a kernel's settings may be, for documents that explain themselves.

use super::kernel::{KernelChoice, kernel_names};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use std::borrow::Cow;
use transect_gp::kernel::{Recipe, Start, recipes};

/// The settings of all kernels there are: which of them a kernel has is checked when its name is known.
impl JsonSchema for KernelChoice {
    fn schema_name() -> Cow<'static, str> {
        "KernelChoice".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut properties = serde_json::Map::new();
        properties.insert(
            "name".into(),
            serde_json::json!({
                "description": "The kernel.", "type": "string", "enum": kernel_names(),
            }),
        );
        let all = recipes();
        for setting in all.iter().flat_map(|recipe| recipe.settings) {
            let mut schema = match setting.start {
                Start::Positive(_) => serde_json::json!({"type": "number", "exclusiveMinimum": 0}),
                Start::Count(_) => serde_json::json!({"type": "integer", "minimum": 1}),
                Start::Word(words) => serde_json::json!({"type": "string", "enum": words}),
            };
            let has = |recipe: &&Recipe| recipe.settings.iter().any(|s| s.key == setting.key);
            let names: Vec<&str> = all
                .iter()
                .filter(has)
                .flat_map(|r| r.names)
                .copied()
                .collect();
            let kernels = names.join(", ");
            schema["description"] = format!("{} For {kernels}.", setting.meaning).into();
            schema["examples"] = serde_json::json!([setting.default()]);
            properties.entry(setting.name()).or_insert(schema);
        }
        json_schema!({
            "description": "Which kernel, and how it starts. Length-scales are in scaled units.",
            "type": "object",
            "properties": properties,
        })
    }
}
