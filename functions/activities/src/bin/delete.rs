//! Serves `activities.delete`.

service::main!(activities::DeleteActivities);
